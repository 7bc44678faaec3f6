/**
 * The outbox: APPEND, CLAIM, DISPATCH, SETTLE.
 *
 * <ul>
 *   <li>{@link io.postroad.outbox.Outbox#append APPEND}: in the caller's transaction, {@link
 *       io.postroad.outbox.Outbox}.
 *   <li>CLAIM: due messages under a lease, {@code RelayCycle.claim}.
 *   <li>DISPATCH: hands them to the {@link io.postroad.outbox.sender.MessageSender}, {@code
 *       RelayCycle.dispatch}.
 *   <li>SETTLE: writes down what became of them, fenced by their tokens, {@code RelayCycle.settle};
 *       {@code SettleRules} decides.
 * </ul>
 *
 * <p>Between any two of these a crash loses nothing: before the commit of the append nothing
 * happened; after it the message is claimable; a claimed message becomes claimable again when its
 * lease expires, and is then sent again, whether or not it had arrived.
 */
@NullMarked
package io.postroad.outbox;

import org.jspecify.annotations.NullMarked;
