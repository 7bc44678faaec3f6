package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.CircuitBreaker;
import io.postroad.internal.relay.RelayEvents;
import io.postroad.internal.relay.RelayParts;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.spi.LaneLease;
import io.postroad.spi.OrderedStore;

/**
 * A lane that this node owns, and the parts of the relay that works on it.
 *
 * @param waiter ends the wait between two passes over the lane
 */
record OwnedLane(OrderedStore<?> store, LaneDeadline deadline, RelayParts parts, Waiter waiter) {

  LaneLease lease() {
    return deadline.lease();
  }

  MessageSender sender() {
    return parts.sender();
  }

  RelayOptions options() {
    return parts.options();
  }

  RelayEvents events() {
    return parts.events();
  }

  CircuitBreaker breaker() {
    return parts.breaker();
  }

  Ticker ticker() {
    return parts.ticker();
  }
}
