/** The outbox: the team's table and names, Postroad's work. */
@NullMarked
package io.postroad.example.payment.infrastructure.adapter.out.outbox;

import org.jspecify.annotations.NullMarked;
