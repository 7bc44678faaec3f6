/**
 * Runs work in the background. {@link io.postroad.internal.loop.BackgroundLoop} owns a thread and
 * repeats one pass until it is stopped. Between passes it waits with a {@link
 * io.postroad.internal.loop.Waiter} for as long as {@link io.postroad.internal.loop.Pace} says.
 * {@link io.postroad.internal.loop.Alarms} interrupts work that takes too long. {@link
 * io.postroad.internal.loop.Ticker} measures times, and {@link io.postroad.internal.loop.NodeName}
 * names nodes. {@link io.postroad.internal.loop.Check} and {@link
 * io.postroad.internal.loop.ErrorText} keep the wording of refusals and stored errors alike.
 */
@NullMarked
package io.postroad.internal.loop;

import org.jspecify.annotations.NullMarked;
