/**
 * Builds the graph of a process. {@link io.postroad.internal.process.dsl.LineBuilder} takes the
 * calls of the DSL, {@link io.postroad.internal.process.dsl.LineDraft} collects the parts of a line
 * ({@link io.postroad.internal.process.dsl.StepDraft}, {@link
 * io.postroad.internal.process.dsl.ConditionPart}, {@link
 * io.postroad.internal.process.dsl.ForkPart}, {@link io.postroad.internal.process.dsl.Pause}), and
 * {@link io.postroad.internal.process.dsl.Assembly} makes a graph of them.
 */
@NullMarked
package io.postroad.internal.process.dsl;

import org.jspecify.annotations.NullMarked;
