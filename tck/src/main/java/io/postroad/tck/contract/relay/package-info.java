/**
 * Contracts of a relay on a store: delivery, failures, closed destinations, order, leases and
 * wake-ups.
 */
@NullMarked
package io.postroad.tck.contract.relay;

import org.jspecify.annotations.NullMarked;
