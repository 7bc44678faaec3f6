/**
 * Runs processes of many steps: start, step, compensate. {@link
 * io.postroad.process.ProcessConfiguration} defines a type of process with the DSL of {@code
 * process.dsl}; {@link io.postroad.process.BaseProcessManager} is the {@link
 * io.postroad.process.ProcessManager} that runs them. The work of a step, the state of its process,
 * the next command and the log ({@link io.postroad.process.ProcessEvent}) are one commit. {@link
 * io.postroad.process.ProcessRepository} and {@link io.postroad.process.ProcessLogRepository} read,
 * {@link io.postroad.process.ProcessObserver} receives signals.
 */
@NullMarked
package io.postroad.process;

import org.jspecify.annotations.NullMarked;
