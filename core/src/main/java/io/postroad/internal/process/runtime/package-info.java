/**
 * Runs processes on a store and a command bus. {@link io.postroad.internal.process.runtime.ProcessExecutor}
 * moves one process in a transaction: lock, decide, send commands, save. {@link
 * io.postroad.internal.process.runtime.ProcessReplies} brings it the replies, {@link
 * io.postroad.internal.process.runtime.ProcessSweeper} the timers, {@link
 * io.postroad.internal.process.runtime.ReplyApplier} the replies that wait. {@link
 * io.postroad.internal.process.runtime.Carrier} hands the next command to this node in memory;
 * {@link io.postroad.internal.process.runtime.Adrift} finds commands whose node has died. {@link
 * io.postroad.internal.process.runtime.Definitions} knows the graph that each process runs on;
 * {@link io.postroad.internal.process.runtime.Explainer} says what a process waits for.
 */
@NullMarked
package io.postroad.internal.process.runtime;

import org.jspecify.annotations.NullMarked;
