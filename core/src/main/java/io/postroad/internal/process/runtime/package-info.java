/**
 * Runs processes on a store and a command bus. {@link io.postroad.internal.process.runtime.Mover}
 * moves one process in a transaction: lock, decide, send commands, save. {@link
 * io.postroad.internal.process.runtime.ProcessReplies} brings it the replies, {@link
 * io.postroad.internal.process.runtime.ProcessKeeper} the timers, {@link
 * io.postroad.internal.process.runtime.Parked} the replies that wait. {@link
 * io.postroad.internal.process.runtime.Outgoing} hands the next command to the port of the bus;
 * {@link io.postroad.internal.process.runtime.OrphanedSteps} writes commands whose node has died.
 * {@link io.postroad.internal.process.runtime.Definitions} knows the graph that each process runs
 * on; {@link io.postroad.internal.process.runtime.Explainer} says what a process waits for.
 */
@NullMarked
package io.postroad.internal.process.runtime;

import org.jspecify.annotations.NullMarked;
