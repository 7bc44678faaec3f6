package io.postroad.spi;

import java.time.Duration;
import java.util.Optional;

/**
 * The request of a worker for messages.
 *
 * @param owner the node that claims; operators see it at a stuck message
 * @param limit how many messages at most, 1 or more
 * @param leaseFor how long the claims hold, counted by the database from the claim on
 * @param destination takes messages of this destination only; empty for any
 */
public record ClaimRequest(
    String owner, int limit, Duration leaseFor, Optional<String> destination) {
  public ClaimRequest {
    if (owner.isBlank()) {
      throw new IllegalArgumentException("ClaimRequest.owner must not be empty; name the node");
    }
    if (limit < 1) {
      throw new IllegalArgumentException("ClaimRequest.limit must be 1 or more, got " + limit);
    }
    if (leaseFor.isNegative() || leaseFor.isZero()) {
      throw new IllegalArgumentException("ClaimRequest.leaseFor must be positive, got " + leaseFor);
    }
  }

  /** A request for messages of any destination. */
  public ClaimRequest(String owner, int limit, Duration leaseFor) {
    this(owner, limit, leaseFor, Optional.empty());
  }

  /** The same for messages of one destination. */
  public ClaimRequest of(String destination) {
    return new ClaimRequest(owner, limit, leaseFor, Optional.of(destination));
  }
}
