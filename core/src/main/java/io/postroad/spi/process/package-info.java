/**
 * Says what a database must do for processes. {@link io.postroad.spi.process.ProcessStore} hands
 * out one object for each role: {@link io.postroad.spi.process.StoredProcesses} starts, locks and
 * saves a {@link io.postroad.spi.process.StoredProcess} with the entries of its log, {@link
 * io.postroad.spi.process.ProcessQueries} reads, {@link io.postroad.spi.process.StoredDefinitions}
 * keeps the graphs that processes run on, {@link io.postroad.spi.process.WaitingReplies} keeps
 * replies of parallel branches in databases where transactions on one process do not wait for each
 * other.
 */
@NullMarked
package io.postroad.spi.process;

import org.jspecify.annotations.NullMarked;
