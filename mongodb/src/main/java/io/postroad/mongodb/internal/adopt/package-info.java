/**
 * Works on the collection of a team. {@link io.postroad.mongodb.internal.adopt.AdoptedSchema} adds
 * its indexes, {@link io.postroad.mongodb.internal.adopt.AdoptedCollection} checks that a layout
 * fits. {@link io.postroad.mongodb.internal.adopt.AdoptedQueue} is its form of a queue; {@link
 * io.postroad.mongodb.internal.adopt.AdoptedFields} and {@link
 * io.postroad.mongodb.internal.adopt.AdoptedUpdates} say where a layout keeps each field.
 */
@NullMarked
package io.postroad.mongodb.internal.adopt;

import org.jspecify.annotations.NullMarked;
