/**
 * Connects the relay to a broker. A transport implements {@link
 * io.postroad.outbox.sender.MessageSender}, which answers each message with a {@link
 * io.postroad.outbox.sender.SendOutcome}. A {@link io.postroad.outbox.sender.SendSession} keeps
 * order between calls. {@link io.postroad.outbox.sender.RoutingSender} sends each destination to
 * the sender that serves it.
 */
@NullMarked
package io.postroad.outbox.sender;

import org.jspecify.annotations.NullMarked;
