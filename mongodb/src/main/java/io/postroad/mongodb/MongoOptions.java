package io.postroad.mongodb;

import io.postroad.schema.SchemaMode;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Where the collections are and how the store behaves.
 *
 * @param database the database of the collections; the one your data is in, because one transaction
 *     writes both; default {@code postroad}
 * @param prefix begins the name of every collection, so that several outboxes fit into one
 *     database; default none
 * @param schemaMode the handling of collections and indexes at opening; default {@link
 *     SchemaMode#VERIFY}, because a service's role should not own them
 * @param wakeUpMode how other nodes hear of new messages; default {@link WakeUpMode#CHANGE_STREAM}
 * @param transactionMode whether {@code append} needs a transaction; default {@link
 *     TransactionMode#REQUIRED}
 * @param deadLetters where dead messages are kept; default {@link DeadLetters#KEEP}
 * @param operationTimeout after this the store's own operations are given up; default 30 s. {@code
 *     append} runs in the caller's session and has the caller's limits
 * @param rerunFor for how long a unit of work is run again because of transient errors, and its
 *     commit repeated because of an unknown result; default 30 s
 * @param lanes into how many lanes the ordered outbox is divided, 1 to 128; default 1, which one
 *     node serves at a time. Set up with the schema and fixed from then on, because a key's lane
 *     depends on it; {@link MongoCompetingStore} does not use it
 * @param streams whether {@link MongoCompetingStore} can be asked for the messages of one
 *     destination only, as workers do; default no, because it costs an index (two on a collection
 *     that a team has) that every message is written to. {@link MongoOrderedStore} does not use it
 */
public record MongoOptions(
    String database,
    String prefix,
    SchemaMode schemaMode,
    WakeUpMode wakeUpMode,
    TransactionMode transactionMode,
    DeadLetters deadLetters,
    Duration operationTimeout,
    Duration rerunFor,
    int lanes,
    boolean streams) {
  private static final Pattern DATABASE = Pattern.compile("[A-Za-z0-9_-]{1,63}");
  private static final Pattern PREFIX = Pattern.compile("[a-z_][a-z0-9_]{0,30}");
  private static final Duration MAX_TIMEOUT = Duration.ofHours(1);
  private static final int MAX_LANES = 128;

  /** How hints reach other nodes. */
  public enum WakeUpMode {
    /** One change stream per store that has subscribers. Needs a replica set. */
    CHANGE_STREAM,
    /** They do not: hints stay inside this process, other nodes find messages by polling. */
    LOCAL
  }

  /** The transaction that {@code append} is part of. */
  public enum TransactionMode {
    /** A transaction of the caller's session. Needs a replica set. */
    REQUIRED,
    /**
     * Nothing, where the session has no transaction: a crash between your write and the append
     * loses the message, and a {@link Reconciler} must find that out. Write your data first.
     */
    NONE
  }

  /** Where dead messages are kept. */
  public enum DeadLetters {
    /** Where they are, with status {@code dead}. */
    KEEP,
    /** In the collection {@code outbox_dead}. */
    MOVE
  }

  public MongoOptions {
    if (!DATABASE.matcher(database).matches()) {
      throw new IllegalArgumentException(
          "MongoOptions.database must match %s, got '%s'".formatted(DATABASE, database));
    }
    if (!prefix.isEmpty() && !PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "MongoOptions.prefix must match %s, got '%s'".formatted(PREFIX, prefix));
    }
    checkTimeout("operationTimeout", operationTimeout);
    checkTimeout("rerunFor", rerunFor);
    if (lanes < 1 || lanes > MAX_LANES) {
      throw new IllegalArgumentException(
          "MongoOptions.lanes must be from 1 to %d, got %d".formatted(MAX_LANES, lanes));
    }
  }

  public static MongoOptions defaults() {
    return new MongoOptions(
        "postroad",
        "",
        SchemaMode.VERIFY,
        WakeUpMode.CHANGE_STREAM,
        TransactionMode.REQUIRED,
        DeadLetters.KEEP,
        Duration.ofSeconds(30),
        Duration.ofSeconds(30),
        1,
        false);
  }

  public MongoOptions withDatabase(String newDatabase) {
    return new MongoOptions(
        newDatabase,
        prefix,
        schemaMode,
        wakeUpMode,
        transactionMode,
        deadLetters,
        operationTimeout,
        rerunFor,
        lanes,
        streams);
  }

  public MongoOptions withPrefix(String newPrefix) {
    return new MongoOptions(
        database,
        newPrefix,
        schemaMode,
        wakeUpMode,
        transactionMode,
        deadLetters,
        operationTimeout,
        rerunFor,
        lanes,
        streams);
  }

  public MongoOptions withSchemaMode(SchemaMode newMode) {
    return new MongoOptions(
        database,
        prefix,
        newMode,
        wakeUpMode,
        transactionMode,
        deadLetters,
        operationTimeout,
        rerunFor,
        lanes,
        streams);
  }

  public MongoOptions withWakeUpMode(WakeUpMode newMode) {
    return new MongoOptions(
        database,
        prefix,
        schemaMode,
        newMode,
        transactionMode,
        deadLetters,
        operationTimeout,
        rerunFor,
        lanes,
        streams);
  }

  public MongoOptions withTransactionMode(TransactionMode newMode) {
    return new MongoOptions(
        database,
        prefix,
        schemaMode,
        wakeUpMode,
        newMode,
        deadLetters,
        operationTimeout,
        rerunFor,
        lanes,
        streams);
  }

  public MongoOptions withDeadLetters(DeadLetters newPlace) {
    return new MongoOptions(
        database,
        prefix,
        schemaMode,
        wakeUpMode,
        transactionMode,
        newPlace,
        operationTimeout,
        rerunFor,
        lanes,
        streams);
  }

  public MongoOptions withOperationTimeout(Duration newTimeout) {
    return new MongoOptions(
        database,
        prefix,
        schemaMode,
        wakeUpMode,
        transactionMode,
        deadLetters,
        newTimeout,
        rerunFor,
        lanes,
        streams);
  }

  public MongoOptions withRerunFor(Duration newTime) {
    return new MongoOptions(
        database,
        prefix,
        schemaMode,
        wakeUpMode,
        transactionMode,
        deadLetters,
        operationTimeout,
        newTime,
        lanes,
        streams);
  }

  public MongoOptions withLanes(int newLanes) {
    return new MongoOptions(
        database,
        prefix,
        schemaMode,
        wakeUpMode,
        transactionMode,
        deadLetters,
        operationTimeout,
        rerunFor,
        newLanes,
        streams);
  }

  public MongoOptions withStreams(boolean newStreams) {
    return new MongoOptions(
        database,
        prefix,
        schemaMode,
        wakeUpMode,
        transactionMode,
        deadLetters,
        operationTimeout,
        rerunFor,
        lanes,
        newStreams);
  }

  private static void checkTimeout(String what, Duration value) {
    if (value.compareTo(Duration.ofSeconds(1)) < 0 || value.compareTo(MAX_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "MongoOptions.%s must be from 1s to 1h, got %s".formatted(what, value));
    }
  }
}
