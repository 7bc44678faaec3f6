package io.postroad.process;

/** What a start does when an active process of its type has the same business key. */
public enum StartPolicy {
  /** It throws {@link ProcessAlreadyActiveException}, which carries the id of that process. */
  REFUSE,
  /** It returns the id of that process and starts nothing. */
  RETURN_ACTIVE,
  /** It starts another one. */
  ALLOW
}
