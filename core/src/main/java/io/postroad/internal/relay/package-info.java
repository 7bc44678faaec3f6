/**
 * Holds the parts of the relay that both kinds of stores use.
 *
 * <ol>
 *   <li>{@link io.postroad.internal.relay.RelayEngine} has one implementation per kind of store, in
 *       the packages {@code lane} and {@code queue}; both work with {@link
 *       io.postroad.internal.relay.RelayParts}.
 *   <li>{@link io.postroad.internal.relay.Permit} is the answer to the question whether a message
 *       may be sent now, and if not, why. {@link io.postroad.internal.relay.SettleRules} answers it
 *       for attempts and destination, and turns the outcome of a send into a {@link
 *       io.postroad.internal.relay.MessageResult}.
 *   <li>{@link io.postroad.internal.relay.CircuitBreaker} keeps a {@link
 *       io.postroad.internal.relay.DestinationState} for each destination that has failed; {@link
 *       io.postroad.internal.relay.CircuitState} is the table of its transitions.
 *   <li>{@link io.postroad.internal.relay.SafeSend} and {@link
 *       io.postroad.internal.relay.SequentialSession} hand messages to senders.
 *   <li>{@link io.postroad.internal.relay.RelayEvents} reports to the observer and the log; {@link
 *       io.postroad.internal.relay.Purger} removes delivered messages.
 * </ol>
 */
@NullMarked
package io.postroad.internal.relay;

import org.jspecify.annotations.NullMarked;
