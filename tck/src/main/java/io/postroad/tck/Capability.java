package io.postroad.tck;

/**
 * An optional feature of a store or its fixture; tests that need a missing one are skipped visibly.
 */
public enum Capability {
  /** The store has a schema of its own: {@link StoreFixture#freshSchema()}. */
  SCHEMA,
  /** A signal of one node reaches the listeners of another. */
  REMOTE_WAKE_UP,
  /** The fixture can hold a row as a claimer in the middle of its claim does. */
  HELD_ROWS,
  /** The store refuses an id that is stored already, not only one that comes twice in a call. */
  UNIQUE_IDS,
  /** Every text that a message can have fits, not only shorter ones. */
  LONG_TEXTS,
  /** A deduplication key can be used again after its window, not only once its message is gone. */
  EXPIRING_KEYS,
  /** The database can have an inbox, too: {@link StoreFixture#openInbox}. */
  INBOX,
  /** The database can keep commands, too: {@link StoreFixture#openCommands}. */
  COMMANDS,
  /** The database can keep processes, too: {@link StoreFixture#openProcesses}. */
  PROCESSES,
  /** A competing store can be asked for the messages of one destination only. */
  STREAMS,
  /** The fixture can let an ordered store's database crash and move it to another cluster. */
  RECOVERY
}
