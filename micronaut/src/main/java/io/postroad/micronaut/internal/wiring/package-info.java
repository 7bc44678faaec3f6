/**
 * Makes the parts of Postroad from the beans of an application, one factory for each, and starts
 * them: {@link io.postroad.micronaut.internal.wiring.Parts} starts in the order of {@link
 * io.postroad.micronaut.internal.wiring.Part} and stops in reverse.
 */
@NullMarked
package io.postroad.micronaut.internal.wiring;

import org.jspecify.annotations.NullMarked;
