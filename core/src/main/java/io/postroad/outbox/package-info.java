/**
 * The outbox: APPEND, CLAIM, DISPATCH, SETTLE.
 *
 * <ul>
 *   <li>APPEND: {@link io.postroad.outbox.Outbox} stores a message in the caller's transaction.
 *   <li>CLAIM, DISPATCH, SETTLE: {@link io.postroad.outbox.OutboxRelay} claims messages, hands them
 *       to the {@link io.postroad.outbox.sender.MessageSender}, and settles them by their outcomes.
 *       For an ordered store, the default, {@code LaneCycle} does this; for a competing store
 *       {@code QueueCycle}. {@code SettleRules} decides for both.
 *   <li>{@link io.postroad.outbox.OutboxWorkers} handle messages of a competing store without a
 *       broker.
 * </ul>
 *
 * <p>Between any two of these steps a crash loses nothing. Before the commit of the append there is
 * no message. After it the message can be claimed. A claimed message can be claimed again when its
 * lease expires, and is then sent again, whether or not it had arrived.
 */
@NullMarked
package io.postroad.outbox;

import org.jspecify.annotations.NullMarked;
