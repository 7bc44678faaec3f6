package io.postroad.postgres;

import io.postroad.schema.SchemaMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Where the tables are and how the store behaves.
 *
 * @param schema schema of the tables; default {@code public}
 * @param prefix begins the name of every table, view and index, so that several outboxes fit into
 *     one schema; default none
 * @param schemaMode the handling of the schema at opening; default {@link SchemaMode#VERIFY},
 *     because a service's role should not own its tables
 * @param clock SQL expression for now, put into the statements as it is; default {@code
 *     statement_timestamp()}. Only tests set another one, and it must be STABLE, or else no index
 *     serves a claim
 * @param statementTimeout after this the store's own statements are cancelled; default 30 s. It is
 *     kept by the driver per statement, so no setting of a connection changes; {@code append} runs
 *     on the caller's connection and has the caller's limits
 * @param wakeUpMode how other nodes hear of new messages; default {@link WakeUpMode#NOTIFY}
 * @param lanes into how many lanes the ordered outbox is divided, 1 to 128; default 1, which one
 *     node serves at a time. Set up with the schema and fixed from then on, because a key's lane
 *     depends on it; {@link PostgresCompetingStore} does not use it
 * @param logRotation for how long the ordered outbox writes into one of its three tables before it
 *     goes on to the next; default 5 days, at least 1 minute. A table is emptied as a whole, so
 *     delivered messages can be kept for at most one and a half times as long
 * @param streams whether a competing store can be asked for the messages of one destination only,
 *     as {@code OutboxWorkers} do; default false. It needs one more index, which every append,
 *     claim and settle writes. {@link SchemaMode#MIGRATE} adds it; {@link PostgresOrderedStore}
 *     does not use it
 * @param standbys how many standbys must have a message on disk before {@link PostgresOrderedStore}
 *     hands it out, 0 to 8; default 0. With it, a failover to one of them loses no transaction
 *     whose message was sent, and nothing is sent while fewer follow. Not needed for standbys that
 *     the server waits for itself ({@code synchronous_standby_names}). The role needs {@code
 *     pg_read_all_stats}
 */
public record PostgresOptions(
    String schema,
    String prefix,
    SchemaMode schemaMode,
    String clock,
    Duration statementTimeout,
    WakeUpMode wakeUpMode,
    int lanes,
    Duration logRotation,
    boolean streams,
    int standbys) {
  private static final Pattern IDENTIFIER = Pattern.compile("[a-z_][a-z0-9_]{0,30}");
  private static final int MAX_CHANNEL = 63;
  private static final Duration MAX_TIMEOUT = Duration.ofHours(1);
  private static final int MAX_LANES = 128;
  private static final int MAX_STANDBYS = 8;
  private static final Duration MIN_ROTATION = Duration.ofMinutes(1);
  private static final Duration MAX_ROTATION = Duration.ofDays(3_650);

  /** How hints reach other nodes. */
  public enum WakeUpMode {
    /**
     * LISTEN/NOTIFY on connections of our own. A store with subscribers keeps one connection of the
     * pool for itself.
     */
    NOTIFY,
    /** They do not: hints stay inside this process, other nodes find messages by polling. */
    LOCAL
  }

  public PostgresOptions {
    checkIdentifier("schema", schema);
    if (!prefix.isEmpty()) {
      checkIdentifier("prefix", prefix);
    }
    if (clock.isBlank()) {
      throw new IllegalArgumentException(
          "PostgresOptions.clock must be an SQL expression, for example statement_timestamp()");
    }
    if (statementTimeout.compareTo(Duration.ofSeconds(1)) < 0
        || statementTimeout.compareTo(MAX_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "PostgresOptions.statementTimeout must be from 1s to 1h, got " + statementTimeout);
    }
    if (lanes < 1 || lanes > MAX_LANES) {
      throw new IllegalArgumentException(
          "PostgresOptions.lanes must be from 1 to %d, got %d".formatted(MAX_LANES, lanes));
    }
    if (logRotation.compareTo(MIN_ROTATION) < 0 || logRotation.compareTo(MAX_ROTATION) > 0) {
      throw new IllegalArgumentException(
          "PostgresOptions.logRotation must be from 1min to 3650 days, got " + logRotation);
    }
    if (standbys < 0 || standbys > MAX_STANDBYS) {
      throw new IllegalArgumentException(
          "PostgresOptions.standbys must be from 0 to %d, got %d"
              .formatted(MAX_STANDBYS, standbys));
    }
  }

  public static PostgresOptions defaults() {
    return new PostgresOptions(
        "public",
        "",
        SchemaMode.VERIFY,
        "statement_timestamp()",
        Duration.ofSeconds(30),
        WakeUpMode.NOTIFY,
        1,
        Duration.ofDays(5),
        false,
        0);
  }

  public PostgresOptions withSchema(String newSchema) {
    return new PostgresOptions(
        newSchema,
        prefix,
        schemaMode,
        clock,
        statementTimeout,
        wakeUpMode,
        lanes,
        logRotation,
        streams,
        standbys);
  }

  public PostgresOptions withPrefix(String newPrefix) {
    return new PostgresOptions(
        schema,
        newPrefix,
        schemaMode,
        clock,
        statementTimeout,
        wakeUpMode,
        lanes,
        logRotation,
        streams,
        standbys);
  }

  public PostgresOptions withSchemaMode(SchemaMode newMode) {
    return new PostgresOptions(
        schema,
        prefix,
        newMode,
        clock,
        statementTimeout,
        wakeUpMode,
        lanes,
        logRotation,
        streams,
        standbys);
  }

  public PostgresOptions withClock(String newClock) {
    return new PostgresOptions(
        schema,
        prefix,
        schemaMode,
        newClock,
        statementTimeout,
        wakeUpMode,
        lanes,
        logRotation,
        streams,
        standbys);
  }

  public PostgresOptions withStatementTimeout(Duration newTimeout) {
    return new PostgresOptions(
        schema,
        prefix,
        schemaMode,
        clock,
        newTimeout,
        wakeUpMode,
        lanes,
        logRotation,
        streams,
        standbys);
  }

  public PostgresOptions withWakeUpMode(WakeUpMode newMode) {
    return new PostgresOptions(
        schema,
        prefix,
        schemaMode,
        clock,
        statementTimeout,
        newMode,
        lanes,
        logRotation,
        streams,
        standbys);
  }

  public PostgresOptions withLanes(int newLanes) {
    return new PostgresOptions(
        schema,
        prefix,
        schemaMode,
        clock,
        statementTimeout,
        wakeUpMode,
        newLanes,
        logRotation,
        streams,
        standbys);
  }

  public PostgresOptions withLogRotation(Duration newRotation) {
    return new PostgresOptions(
        schema,
        prefix,
        schemaMode,
        clock,
        statementTimeout,
        wakeUpMode,
        lanes,
        newRotation,
        streams,
        standbys);
  }

  public PostgresOptions withStreams(boolean newStreams) {
    return new PostgresOptions(
        schema,
        prefix,
        schemaMode,
        clock,
        statementTimeout,
        wakeUpMode,
        lanes,
        logRotation,
        newStreams,
        standbys);
  }

  public PostgresOptions withStandbys(int newStandbys) {
    return new PostgresOptions(
        schema,
        prefix,
        schemaMode,
        clock,
        statementTimeout,
        wakeUpMode,
        lanes,
        logRotation,
        streams,
        newStandbys);
  }

  /** The NOTIFY channel: one per schema and prefix, within PostgreSQL's limit for names. */
  public String channel() {
    return channel("postroad.");
  }

  /** The NOTIFY channel of commands. */
  public String commandChannel() {
    return channel("postroad-command.");
  }

  private String channel(String kind) {
    String place = schema + "." + prefix;
    String readable = kind + place;
    return readable.length() <= MAX_CHANNEL
        ? readable
        : kind + UUID.nameUUIDFromBytes(place.getBytes(StandardCharsets.UTF_8));
  }

  /** The name with schema and prefix, quoted for a statement. */
  public String qualified(String name) {
    return "\"%s\".\"%s%s\"".formatted(schema, prefix, name);
  }

  private static void checkIdentifier(String what, String value) {
    if (!IDENTIFIER.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "PostgresOptions.%s must match %s, got '%s'".formatted(what, IDENTIFIER, value));
    }
  }
}
