package io.postroad.example.market.shared.outbox;

/** Of an entry in the outbox. */
public enum OutboxStatus {
  /** Waits to be published, for the first time or again. */
  PENDING,
  /** A node has claimed it and publishes it. */
  PROCESSING,
  /** The broker has it. */
  DELIVERED,
  /** Given up after its attempts; a person decides. */
  FAILED
}
