package io.postroad.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.postroad.internal.store.SchemaCheck;
import io.postroad.internal.store.SchemaFile;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Lease;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.Rerun;
import io.postroad.mongodb.internal.schema.SchemaHistory;
import io.postroad.mongodb.internal.schema.SchemaSteps;
import io.postroad.schema.StoreSchema;
import java.time.Duration;
import java.util.List;
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
  private static final List<SchemaFile> STEPS = SchemaSteps.ALL;
  private static final int NAMESPACE_EXISTS = 48;
  private static final Duration LOCKED_FOR = Duration.ofMinutes(1);
  private static final Duration WAIT_FOR_LOCK = Duration.ofMinutes(5);
  private static final String REMEDY =
      ": run MongoSchema.migrate(), open the store with SchemaMode.MIGRATE, or have a DBA run"
          + " MongoSchema.script() with mongosh";

  private final Database database;
  private final MongoOptions options;
  private final SchemaHistory history;
  private final SchemaCheck check;

  public MongoSchema(MongoClient client, MongoOptions options) {
    this.database = new Database(client, options);
    this.options = options;
    this.history = new SchemaHistory(database);
    this.check =
        new SchemaCheck(
            STEPS,
            "collections",
            "database '%s'".formatted(options.database()),
            "MongoSchema",
            REMEDY);
  }

  @Override
  public int requiredVersion() {
    return check.requiredVersion();
  }

  @Override
  public int installedVersion() {
    return Database.call("read the schema's version", () -> SchemaCheck.latest(history.applied()));
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
          check.requireCurrent(installed);
          check.requireComplete(installed, history.missing(commands()));
          List<String> wanted = history.missing(streams());
          if (!wanted.isEmpty()) {
            throw check.refused(
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
    for (SchemaFile step : STEPS) {
      script
          .append(SchemaSteps.script(step, options))
          .append('\n')
          .append(history.record(step))
          .append('\n');
    }
    if (options.streams()) {
      script.append(SchemaSteps.script(SchemaSteps.STREAMS, options));
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
    return options.streams()
        ? SchemaSteps.commands(SchemaSteps.script(SchemaSteps.STREAMS, options))
        : List.of();
  }

  private List<BsonDocument> commands() {
    return STEPS.stream()
        .flatMap(step -> SchemaSteps.commands(SchemaSteps.script(step, options)).stream())
        .toList();
  }

  /** The installed version, 0 for none, if this library can go on from it. */
  private int checkedVersion() {
    return check.checkedVersion(history.applied());
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
      for (SchemaFile step : STEPS.subList(checkedVersion(), STEPS.size())) {
        apply(step, lock);
      }
      return true;
    } finally {
      lock.release();
    }
  }

  private void apply(SchemaFile step, Lease lock) {
    for (BsonDocument command : SchemaSteps.commands(SchemaSteps.script(step, options))) {
      // A lost lease does no harm: every command may be run twice, also at the same time.
      boolean unused = lock.hold(LOCKED_FOR);
      run(command);
    }
    SchemaSteps.commands(history.record(step)).forEach(this::run);
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
}
