/**
 * Messages, with their payloads, headers and ids. All types are immutable values, so threads can
 * share them. No type here uses a database or a broker.
 *
 * <p>The package {@code io.postroad.spi} stores messages.
 */
@NullMarked
package io.postroad.message;

import org.jspecify.annotations.NullMarked;
