/**
 * Describes a process as a chain of calls. {@link io.postroad.process.dsl.ProcessGraphBuilder}
 * begins it; {@link io.postroad.process.dsl.Line}, {@link io.postroad.process.dsl.Condition},
 * {@link io.postroad.process.dsl.Parallel} and {@link io.postroad.process.dsl.Branch} are the forms
 * that the next call may take. The result is a {@code ProcessGraph}.
 */
@NullMarked
package io.postroad.process.dsl;

import org.jspecify.annotations.NullMarked;
