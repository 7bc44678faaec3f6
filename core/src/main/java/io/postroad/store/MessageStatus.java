package io.postroad.store;

/** The canonical states of a stored message; a layout may store other words for them. */
public enum MessageStatus {
  /** Waiting to be claimed, now or at its due time; an expired lease is this too. */
  PENDING,
  /** Claimed, and the lease holds. */
  PROCESSING,
  /** Delivered. */
  DISPATCHED,
  /** A dead letter. */
  FAILED
}
