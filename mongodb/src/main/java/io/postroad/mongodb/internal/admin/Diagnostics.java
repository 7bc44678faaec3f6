package io.postroad.mongodb.internal.admin;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.postroad.mongodb.MongoSchema;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.schema.SchemaException;
import io.postroad.schema.StoreSchema;
import io.postroad.spi.StoreFindings;
import io.postroad.store.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Finds problems: what is wrong now, of what both stores have; what each has alone comes from it.
 */
public final class Diagnostics {
  /** Half of what MongoDB lets a transaction live by default. */
  static final Duration OLD = Duration.ofSeconds(30);

  private static final Duration SHORT_WINDOW = Duration.ofHours(1);
  private static final double FULL = 0.9;
  private static final int NAMED = 20;
  private static final int UNAUTHORIZED = 13;

  private final MongoClient client;
  private final StoreSchema schema;
  private final Supplier<List<Finding>> ofStore;
  private final Duration old;

  public Diagnostics(Database database, Supplier<List<Finding>> ofStore) {
    this(database, ofStore, OLD);
  }

  public Diagnostics(Database database, StoreSchema schema, Supplier<List<Finding>> ofStore) {
    this(database, schema, ofStore, OLD);
  }

  /**
   * @param old for how long a transaction is open that is named
   */
  Diagnostics(Database database, Supplier<List<Finding>> ofStore, Duration old) {
    this(database, new MongoSchema(database.client(), database.options()), ofStore, old);
  }

  private Diagnostics(
      Database database, StoreSchema schema, Supplier<List<Finding>> ofStore, Duration old) {
    this.client = database.client();
    this.schema = schema;
    this.ofStore = ofStore;
    this.old = old;
  }

  public List<Finding> examine() {
    try {
      schema.verify();
    } catch (SchemaException refused) {
      // Without its collections there is nothing else to ask.
      return List.of(StoreFindings.schema(refused));
    }
    List<Finding> findings = new ArrayList<>(ofStore.get());
    findings.addAll(ifAllowed("look for old transactions", this::oldTransactions));
    findings.addAll(ifAllowed("look at the oplog", this::oplogWindow));
    return findings;
  }

  /** A service need not have the rights to look at others, nor at the oplog. */
  private static List<Finding> ifAllowed(String what, Supplier<List<Finding>> question) {
    return Database.call(
        what,
        () -> {
          try {
            return question.get();
          } catch (MongoCommandException refused) {
            if (refused.getErrorCode() == UNAUTHORIZED) {
              return List.of();
            }
            throw refused;
          }
        });
  }

  private List<Finding> oldTransactions() {
    List<Finding> findings = new ArrayList<>();
    client
        .getDatabase("admin")
        .aggregate(
            List.of(
                new Document(
                    "$currentOp", new Document("allUsers", true).append("idleSessions", true)),
                new Document(
                    "$match",
                    new Document(
                        "transaction.timeOpenMicros", new Document("$gte", old.toNanos() / 1_000))),
                new Document("$limit", NAMED)))
        .forEach(operation -> findings.add(oldTransaction(operation)));
    return findings;
  }

  private static Finding oldTransaction(Document operation) {
    Document transaction = operation.get("transaction", Document.class);
    long seconds = transaction.get("timeOpenMicros", Number.class).longValue() / 1_000_000;
    return StoreFindings.oldTransaction(
        "client %s (application '%s') has a transaction open for %d s"
            .formatted(
                operation.getOrDefault("client", "unknown"),
                operation.getOrDefault("appName", ""),
                seconds),
        "appends of the same keys wait for it, and MongoDB ends it after"
            + " transactionLifetimeLimitSeconds");
  }

  private List<Finding> oplogWindow() {
    MongoDatabase local = client.getDatabase("local");
    if (!local.listCollectionNames().into(new ArrayList<>()).contains("oplog.rs")) {
      return List.of();
    }
    Document stats = local.runCommand(new Document("collStats", "oplog.rs"));
    return oplogWindow(
        stats.get("size", Number.class).doubleValue()
            / stats.get("maxSize", Number.class).doubleValue(),
        Duration.ofSeconds((long) at(local, -1) - at(local, 1)));
  }

  private static int at(MongoDatabase local, int order) {
    @Nullable Document entry =
        local
            .getCollection("oplog.rs")
            .find()
            .projection(new Document("ts", 1))
            .sort(new Document("$natural", order))
            .first();
    return entry == null ? 0 : entry.get("ts", BsonTimestamp.class).getTime();
  }

  /**
   * @param full how much of the room that it may take the oplog has taken: until then its window
   *     only grows
   */
  static List<Finding> oplogWindow(double full, Duration window) {
    return full < FULL || window.compareTo(SHORT_WINDOW) >= 0
        ? List.of()
        : List.of(
            Finding.warning(
                "oplog-window",
                "the oplog is full and reaches back %s only".formatted(window),
                "give it more room (replSetResizeOplog): a member, or a change stream with our"
                    + " hints, that is away for longer cannot go on where it was"));
  }
}
