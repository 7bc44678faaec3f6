/**
 * Contracts of processes: start, steps, replies, timers, undo, operators and releases. {@link
 * io.postroad.tck.contract.process.ProcessScene} is a process manager over a store under test.
 */
@NullMarked
package io.postroad.tck.contract.process;

import org.jspecify.annotations.NullMarked;
