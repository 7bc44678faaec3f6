/**
 * Reads the properties {@code postroad.*}. Each record, such as {@link
 * io.postroad.micronaut.internal.settings.CommandProperties}, is one group of them, with defaults
 * and texts; {@link io.postroad.micronaut.internal.settings.OnSwitch} reads the switches.
 */
@NullMarked
package io.postroad.micronaut.internal.settings;

import org.jspecify.annotations.NullMarked;
