/**
 * Moves the messages of competing stores. {@link io.postroad.internal.relay.queue.CompetingEngine}
 * repeats {@link io.postroad.internal.relay.queue.QueueCycle} on each of its threads: claim,
 * dispatch, settle. {@link io.postroad.internal.relay.queue.InFlightSends} keeps the claims that
 * have no outcome yet. {@link io.postroad.internal.relay.queue.WorkEngine} claims messages for
 * workers that handle them without a broker, and a {@link io.postroad.internal.relay.queue.WorkRun}
 * handles and settles each one.
 */
@NullMarked
package io.postroad.internal.relay.queue;

import org.jspecify.annotations.NullMarked;
