/**
 * Runs processes on a store and a command bus. {@link
 * io.postroad.internal.process.runtime.ProcessExecutor} applies inputs to one process in a
 * transaction: lock, ask the engine, send commands, save with {@link
 * io.postroad.internal.process.runtime.ProcessStates}. {@link
 * io.postroad.internal.process.runtime.ProcessReplies} brings it the replies, {@link
 * io.postroad.internal.process.runtime.ReplyApplier} the waiting ones. {@link
 * io.postroad.internal.process.runtime.ProcessSweeper} is the background loop: {@link
 * io.postroad.internal.process.runtime.DueProcesses} fires timers, {@link
 * io.postroad.internal.process.runtime.IdleProcesses} checks processes that do not change. {@link
 * io.postroad.internal.process.runtime.Outgoing} hands the next command to the port of the bus;
 * {@link io.postroad.internal.process.runtime.OrphanedSteps} writes commands whose node has died.
 * {@link io.postroad.internal.process.runtime.Definitions} holds the graph that each process runs
 * on; {@link io.postroad.internal.process.runtime.Explainer} explains what a process waits for.
 */
@NullMarked
package io.postroad.internal.process.runtime;

import org.jspecify.annotations.NullMarked;
