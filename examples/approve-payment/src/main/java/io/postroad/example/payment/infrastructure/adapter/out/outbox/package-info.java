/** The outbox, with the team's table and names, run by Postroad. */
@NullMarked
package io.postroad.example.payment.infrastructure.adapter.out.outbox;

import org.jspecify.annotations.NullMarked;
