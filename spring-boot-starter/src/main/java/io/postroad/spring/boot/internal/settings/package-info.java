/**
 * Reads the properties {@code postroad.*}. Each record, such as {@link
 * io.postroad.spring.boot.internal.settings.CommandProperties}, is one group of them, with defaults
 * and texts.
 */
@NullMarked
package io.postroad.spring.boot.internal.settings;

import org.jspecify.annotations.NullMarked;
