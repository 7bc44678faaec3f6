/**
 * Reads the properties {@code postroad.*}. Each record is one group of them; {@link
 * io.postroad.micronaut.internal.settings.Refused} turns a refusal of an option into one that names
 * the property.
 */
@NullMarked
package io.postroad.micronaut.internal.settings;

import org.jspecify.annotations.NullMarked;
