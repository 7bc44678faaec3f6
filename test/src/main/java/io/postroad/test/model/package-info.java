/**
 * Checks a process definition by exploring all that can happen to it. {@link
 * io.postroad.test.model.ModelCheck} is the entry: it runs the engine of production on every order
 * of inputs. {@link io.postroad.test.model.ModelWorld} is the process with the commands and effects
 * around it, {@link io.postroad.test.model.ModelLaws} checks each transition.
 */
@NullMarked
package io.postroad.test.model;

import org.jspecify.annotations.NullMarked;
