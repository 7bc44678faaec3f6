package io.postroad.example.payment.infrastructure.adapter.out.outbox;

/** The status of an event. */
public enum OutboxEventStatus {
  /** Waits to be published. */
  PENDING,
  /** Published. */
  PUBLISHED,
  /** Given up after its attempts; an operator decides. */
  FAILED
}
