package io.postroad.faults;

import io.postroad.schema.SchemaMode;

/** Where a database is that handlers write to, as a text for command lines. */
sealed interface HandlerDatabase permits PostgresAddress, MongoAddress {

  static HandlerDatabase parse(String text) {
    return text.startsWith("jdbc:") ? new PostgresAddress(text) : MongoAddress.parse(text);
  }

  /** Returns the text that {@link #parse} takes. */
  String text();

  /**
   * Opens an inbox with its retry line.
   *
   * @param application how the server knows its connections
   * @param mode {@link SchemaMode#MIGRATE} to make everything, the table of effects included
   */
  OpenInbox<?> openInbox(String application, SchemaMode mode) throws Exception;

  /** Opens a store of commands and an outbox; the rest as for {@link #openInbox}. */
  OpenCommands<?> openCommands(String application, SchemaMode mode) throws Exception;

  /** Opens a store of processes, and commands beside it; the rest as for {@link #openInbox}. */
  OpenProcesses<?> openProcesses(String application, SchemaMode mode) throws Exception;

  /** Opens an outbox for workers; the rest as for {@link #openInbox}. */
  OpenStreams<?> openStreams(String application, SchemaMode mode) throws Exception;
}
