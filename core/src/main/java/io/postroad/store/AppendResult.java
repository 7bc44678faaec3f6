package io.postroad.store;

import java.util.UUID;

/** The result of one appended message, if the transaction commits. */
public sealed interface AppendResult {

  /** The id under which the message is stored: its own, or that of the first with its key. */
  UUID id();

  /** The message is stored. */
  record Appended(UUID id) implements AppendResult {}

  /** Not stored: {@code id} was appended before with the same deduplication key. */
  record Duplicate(UUID id) implements AppendResult {}
}
