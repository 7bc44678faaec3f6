/**
 * Holds the checks of a process definition, one class for each: {@link
 * io.postroad.internal.process.check.StructureCheck}, {@link
 * io.postroad.internal.process.check.DataCheck}, {@link
 * io.postroad.internal.process.check.ForkCheck}, {@link
 * io.postroad.internal.process.check.HandlerCheck}, {@link
 * io.postroad.internal.process.check.ReturnCheck}, {@link
 * io.postroad.internal.process.check.DeadlineCheck}.
 */
@NullMarked
package io.postroad.internal.process.check;

import org.jspecify.annotations.NullMarked;
