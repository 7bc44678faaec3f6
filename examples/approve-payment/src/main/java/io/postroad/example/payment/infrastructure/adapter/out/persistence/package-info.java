/** Payments in PostgreSQL, with JPA. */
@NullMarked
package io.postroad.example.payment.infrastructure.adapter.out.persistence;

import org.jspecify.annotations.NullMarked;
