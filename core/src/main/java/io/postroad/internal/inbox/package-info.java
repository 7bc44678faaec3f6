/**
 * Handles incoming messages. {@link io.postroad.internal.inbox.InboxReceiver} receives a message
 * from a broker and asks the inbox store whether it is new. {@link
 * io.postroad.internal.inbox.Execution} runs the handler and the entry in the inbox in one
 * transaction. {@link io.postroad.internal.inbox.RetryLine} stores a message that failed, and
 * {@link io.postroad.internal.inbox.RetryDelivery} tries it again. {@link
 * io.postroad.internal.inbox.LocalDelivery}, {@link io.postroad.internal.inbox.HandlerSender} and
 * {@link io.postroad.internal.inbox.HandlerWork} handle messages of the outbox without a broker.
 * {@link io.postroad.internal.inbox.InboxSweeper} removes old entries.
 */
@NullMarked
package io.postroad.internal.inbox;

import org.jspecify.annotations.NullMarked;
