/**
 * The contract of a transport: what goes from an outbox to handlers arrives whole, once and in
 * order, whichever broker is between them, or none.
 */
@NullMarked
package io.postroad.tck.transport;

import org.jspecify.annotations.NullMarked;
