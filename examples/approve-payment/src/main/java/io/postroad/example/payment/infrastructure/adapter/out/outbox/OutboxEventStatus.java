package io.postroad.example.payment.infrastructure.adapter.out.outbox;

/** Of an event in the outbox. */
public enum OutboxEventStatus {
  /** Waits to be published. */
  PENDING,
  /** The broker has it. */
  PUBLISHED,
  /** Given up after its attempts; a person decides. */
  FAILED
}
