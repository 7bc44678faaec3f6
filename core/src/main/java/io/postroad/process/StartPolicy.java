package io.postroad.process;

/** How a start behaves when an active process of its type has the same business key. */
public enum StartPolicy {
  /** Throws {@link ProcessAlreadyActiveException} with the id of that process. */
  REFUSE,
  /** Returns the id of that process and starts nothing. */
  RETURN_ACTIVE,
  /** Starts another process. */
  ALLOW
}
