/**
 * Holds the parts of the relay that both kinds of stores use. {@link
 * io.postroad.internal.relay.SettleRules} turns the outcome of a send into a {@link
 * io.postroad.internal.relay.Verdict}, the one place that decides. {@link
 * io.postroad.internal.relay.Gates} and {@link io.postroad.internal.relay.Trouble} are the circuit
 * breaker of each destination. {@link io.postroad.internal.relay.SafeSend} and {@link
 * io.postroad.internal.relay.HoldBackSession} guard calls to senders. {@link
 * io.postroad.internal.relay.Announcer} tells observers and the log; {@link
 * io.postroad.internal.relay.Purger} removes delivered messages. The two engines are in {@code
 * lane} and {@code queue}.
 */
@NullMarked
package io.postroad.internal.relay;

import org.jspecify.annotations.NullMarked;
