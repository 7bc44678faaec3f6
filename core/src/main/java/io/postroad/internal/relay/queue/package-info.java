/**
 * Moves the messages of competing stores. {@link io.postroad.internal.relay.queue.CompetingEngine}
 * starts {@link io.postroad.internal.relay.queue.RelayWorker}s, each of which repeats {@link
 * io.postroad.internal.relay.queue.RelayCycle}: claim, dispatch, settle; {@link
 * io.postroad.internal.relay.queue.InFlight} keeps the claims that have no outcome yet. {@link
 * io.postroad.internal.relay.queue.WorkCycle} and {@link io.postroad.internal.relay.queue.WorkRun}
 * are the same for workers that handle messages without a broker.
 */
@NullMarked
package io.postroad.internal.relay.queue;

import org.jspecify.annotations.NullMarked;
