package io.postroad.postgres.internal.schema;

import io.postroad.postgres.PostgresOptions;

/**
 * The index for claims of one destination, which only {@link PostgresOptions#streams()} asks for.
 */
public final class StreamIndex {
  public static final String NAME = "outbox_queue_stream_idx";

  private StreamIndex() {}

  public static String create(PostgresOptions options) {
    return create("CREATE INDEX", options);
  }

  /** For a table in use: it holds up no writer, and must not be inside a transaction. */
  public static String createBesideWriters(PostgresOptions options) {
    return create("CREATE INDEX CONCURRENTLY", options);
  }

  private static String create(String how, PostgresOptions options) {
    return "%s \"%s%s\" ON %s (destination COLLATE \"C\", available_at) WHERE status = 'PENDING'"
        .formatted(how, options.prefix(), NAME, options.qualified("outbox_queue"));
  }
}
