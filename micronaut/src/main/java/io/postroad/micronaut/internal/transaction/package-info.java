/**
 * Joins the transactions of Micronaut. {@link
 * io.postroad.micronaut.internal.transaction.MicronautUnits} runs work in them; {@link
 * io.postroad.micronaut.internal.transaction.UnitEnding} runs what belongs to the end of one.
 */
@NullMarked
package io.postroad.micronaut.internal.transaction;

import org.jspecify.annotations.NullMarked;
