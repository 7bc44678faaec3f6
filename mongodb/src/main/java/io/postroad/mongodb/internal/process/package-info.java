/**
 * Keeps processes. {@link io.postroad.mongodb.internal.process.ProcessWriter} starts, locks and
 * saves, {@link io.postroad.mongodb.internal.process.ProcessTimers} finds due timers, {@link
 * io.postroad.mongodb.internal.process.ReplyDocuments} keeps replies that wait, {@link
 * io.postroad.mongodb.internal.process.ProcessReader} reads, {@link
 * io.postroad.mongodb.internal.process.ProcessDefinitions} keeps the graphs that processes run on.
 */
@NullMarked
package io.postroad.mongodb.internal.process;

import org.jspecify.annotations.NullMarked;
