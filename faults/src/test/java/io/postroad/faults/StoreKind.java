package io.postroad.faults;

/** Which of the two outboxes a scene is about. */
enum StoreKind {
  COMPETING,
  /** Promises order per key. */
  ORDERED
}
