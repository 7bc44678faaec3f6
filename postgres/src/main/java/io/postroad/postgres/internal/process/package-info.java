/**
 * Keeps processes. {@link io.postroad.postgres.internal.process.ProcessWriter} starts, locks and
 * saves, {@link io.postroad.postgres.internal.process.ProcessReader} reads, {@link
 * io.postroad.postgres.internal.process.ProcessDefinitions} keeps the graphs that processes run on.
 */
@NullMarked
package io.postroad.postgres.internal.process;

import org.jspecify.annotations.NullMarked;
