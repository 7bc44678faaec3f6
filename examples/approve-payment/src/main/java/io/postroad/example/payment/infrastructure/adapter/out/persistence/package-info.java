/** Payments in PostgreSQL, by JPA. */
@NullMarked
package io.postroad.example.payment.infrastructure.adapter.out.persistence;

import org.jspecify.annotations.NullMarked;
