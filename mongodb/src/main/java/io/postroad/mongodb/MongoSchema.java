package io.postroad.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Lease;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.Rerun;
import io.postroad.mongodb.internal.schema.SchemaHistory;
import io.postroad.mongodb.internal.schema.SchemaStep;
import io.postroad.schema.SchemaException;
import io.postroad.schema.StoreSchema;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The collections, validators and indexes of the MongoDB stores.
 *
 * <p>Safe to use from many threads and nodes. {@link #migrate()} works under a lease in the history
 * collection {@code postroad_schema}, which ends a minute after its holder has died; a step that
 * was interrupted is run again, and counts once its last command and its line in the history are
 * written. {@link #verify()} only reads.
 */
public final class MongoSchema implements StoreSchema {
  private static final Logger LOG = LoggerFactory.getLogger(MongoSchema.class);
  private static final List<SchemaStep> STEPS = SchemaStep.ALL;
  private static final int NAMESPACE_EXISTS = 48;
  private static final Duration LOCKED_FOR = Duration.ofMinutes(1);
  private static final Duration WAIT_FOR_LOCK = Duration.ofMinutes(5);
  private static final String REMEDY =
      ": run MongoSchema.migrate(), open the store with SchemaMode.MIGRATE, or have a DBA run"
          + " MongoSchema.script() with mongosh";

  private final Database database;
  private final MongoOptions options;
  private final SchemaHistory history;

  public MongoSchema(MongoClient client, MongoOptions options) {
    this.database = new Database(client, options);
    this.options = options;
    this.history = new SchemaHistory(database);
  }

  @Override
  public int requiredVersion() {
    return STEPS.get(STEPS.size() - 1).version();
  }

  @Override
  public int installedVersion() {
    return Database.call("read the schema's version", () -> latest(history.applied()));
  }

  @Override
  public void migrate() {
    // Looks without the lock first: a schema that is up to date needs no right to change it.
    if (Database.call("read the schema's version", this::checkedVersion) < requiredVersion()) {
      Database.call("migrate the schema", this::applyUnderLock);
    }
    Database.call("migrate the schema", this::addStreams);
    verify();
  }

  @Override
  public void verify() {
    Database.call(
        "verify the schema",
        () -> {
          int installed = checkedVersion();
          if (installed < requiredVersion()) {
            throw refused(
                installed == 0
                    ? "Postroad's collections are missing in database '%s' (needs version %d, found none)"
                            .formatted(options.database(), requiredVersion())
                        + REMEDY
                    : "Postroad's collections in database '%s' are too old (needs version %d, found %d)"
                            .formatted(options.database(), requiredVersion(), installed)
                        + REMEDY,
                installed);
          }
          List<String> missing = history.missing(commands());
          if (!missing.isEmpty()) {
            throw refused(
                "Postroad's collections in database '%s' are at version %d but incomplete, missing: %s;"
                        .formatted(options.database(), installed, String.join(", ", missing))
                    + " create them again as MongoSchema.script() does",
                installed);
          }
          List<String> wanted = history.missing(streams());
          if (!wanted.isEmpty()) {
            throw refused(
                "MongoOptions.streams is on, but database '%s' lacks %s"
                        .formatted(options.database(), String.join(", ", wanted))
                    + REMEDY,
                installed);
          }
          return true;
        });
  }

  @Override
  public String script() {
    StringBuilder script = new StringBuilder();
    script.append("// Postroad's collections, version ").append(requiredVersion()).append(".\n");
    script.append("// Run it with mongosh; running it again changes nothing.\n");
    script.append("db = db.getSiblingDB(\"").append(options.database()).append("\");\n\n");
    for (SchemaStep step : STEPS) {
      script.append(step.script(options)).append('\n').append(history.record(step)).append('\n');
    }
    if (options.streams()) {
      script.append(SchemaStep.STREAMS.script(options));
    }
    return script.toString();
  }

  /** The index that only some want. Without a limit in time: many messages may be there already. */
  private boolean addStreams() {
    if (history.missing(streams()).isEmpty()) {
      return false;
    }
    streams().forEach(command -> run(database.callers(), command));
    LOG.info("mongodb: index of streams added: database={}", options.database());
    return true;
  }

  private List<BsonDocument> streams() {
    return options.streams() ? SchemaStep.commands(SchemaStep.STREAMS.script(options)) : List.of();
  }

  private List<BsonDocument> commands() {
    return STEPS.stream()
        .flatMap(step -> SchemaStep.commands(step.script(options)).stream())
        .toList();
  }

  /** The installed version, 0 for none, if this library can go on from it. */
  private int checkedVersion() {
    SortedMap<Integer, String> applied = history.applied();
    int installed = latest(applied);
    if (installed > requiredVersion()) {
      throw refused(
          "Postroad's collections in database '%s' are too new: the database is at version %d, this"
                  .formatted(options.database(), installed)
              + " library knows %d; upgrade the library".formatted(requiredVersion()),
          installed);
    }
    for (SchemaStep step : STEPS) {
      String checksum = applied.getOrDefault(step.version(), step.checksum());
      if (!checksum.equals(step.checksum())) {
        throw refused(
            "step %s in database '%s' was applied with another text (checksum %s, this library has %s);"
                    .formatted(
                        step.file(), options.database(), brief(checksum), brief(step.checksum()))
                + " use the library that applied it, or compare the collections with"
                + " MongoSchema.script() and correct the checksum",
            installed);
      }
    }
    return installed;
  }

  private boolean applyUnderLock() {
    Lease lock = new Lease(database.collection(Names.HISTORY), database.time(), "lock");
    Rerun rerun = new Rerun(WAIT_FOR_LOCK);
    while (!lock.hold(LOCKED_FOR)) {
      if (!rerun.mayGoOn()) {
        throw new PostroadException(
            "another node has been migrating database '%s' for %s; try again, or look at the document 'lock' of %s%s"
                .formatted(options.database(), WAIT_FOR_LOCK, options.prefix(), Names.HISTORY));
      }
    }
    try {
      for (SchemaStep step : STEPS.subList(checkedVersion(), STEPS.size())) {
        apply(step, lock);
      }
      return true;
    } finally {
      lock.release();
    }
  }

  private void apply(SchemaStep step, Lease lock) {
    for (BsonDocument command : SchemaStep.commands(step.script(options))) {
      // A lost lease does no harm: every command may be run twice, also at the same time.
      boolean unused = lock.hold(LOCKED_FOR);
      run(command);
    }
    SchemaStep.commands(history.record(step)).forEach(this::run);
    LOG.info("mongodb: schema migrated: database={} step={}", options.database(), step.file());
  }

  /** Runs a command as mongosh would, but minds errors and majorities. */
  void run(BsonDocument command) {
    run(database.own(), command);
  }

  private void run(MongoDatabase target, BsonDocument command) {
    try {
      BsonDocument durable =
          command.clone().append("writeConcern", database.own().getWriteConcern().asDocument());
      BsonDocument answer = target.runCommand(durable, BsonDocument.class);
      BsonValue errors = answer.get("writeErrors", new BsonDocument());
      if (errors.isArray()) {
        throw new PostroadException(
            "a command of the schema failed in database '%s': %s"
                .formatted(options.database(), errors));
      }
    } catch (MongoCommandException failed) {
      if (failed.getErrorCode() != NAMESPACE_EXISTS) {
        throw failed;
      }
    }
  }

  private static int latest(SortedMap<Integer, String> applied) {
    return applied.isEmpty() ? 0 : Objects.requireNonNull(applied.lastKey());
  }

  private SchemaException refused(String text, int installed) {
    return new SchemaException(text, requiredVersion(), installed);
  }

  private static String brief(String checksum) {
    return checksum.substring(0, Math.min(12, checksum.length()));
  }
}
