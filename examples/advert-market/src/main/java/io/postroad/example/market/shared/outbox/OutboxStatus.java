package io.postroad.example.market.shared.outbox;

/** The status of an entry. */
public enum OutboxStatus {
  /** Waits for its first or next attempt. */
  PENDING,
  /** Claimed by a node, which publishes it. */
  PROCESSING,
  /** Published. */
  DELIVERED,
  /** Given up after its attempts; an operator decides. */
  FAILED
}
