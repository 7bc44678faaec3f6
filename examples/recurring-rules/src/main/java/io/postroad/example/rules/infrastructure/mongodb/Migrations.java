package io.postroad.example.rules.infrastructure.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import io.postroad.mongodb.MongoSequence;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.bson.Document;

/**
 * Creates collections, validator, sequences and indexes, and upgrades old rules.
 *
 * <p>Every step can be repeated, also by several nodes at once, so all steps run at each start.
 * After a crash between two steps the next start completes them. Only old documents are written.
 */
public final class Migrations {
  /** The first number follows this one. */
  static final long FIRST_AFTER = 10_000_000L;

  static final String CASH_CHANGES = "cash_changes";
  static final String CASH_CHANGE_IDS = "cash_change_ids";
  static final String CASH_CHANGE = "cash_change";
  static final String OUTBOX = "outbox";

  private static final int NAMESPACE_EXISTS = 48;
  private static final int INDEX_NOT_FOUND = 27;
  private static final int INDEX_TRIES = 20;
  private static final int BUILD_IN_PROGRESS = 12587;
  private static final int BUILD_TRIES = 600;
  private static final long BUILD_PAUSE_NANOS = 100_000_000L;

  /**
   * Error codes for a different index with the same name or key, and for an index that another node
   * dropped during its build.
   */
  private static final Set<Integer> OTHER_INDEX = Set.of(85, 86, 276);

  private final MongoDatabase database;

  public Migrations(MongoDatabase database) {
    this.database = database;
  }

  void run() {
    List.of(RecurringRuleDocument.COLLECTION, OUTBOX, CASH_CHANGES).forEach(this::create);
    createSequences();
    // While old documents exist: they must be changed step by step.
    validate("moderate");
    new RuleUpgrade(database.getCollection(RecurringRuleDocument.COLLECTION)).run();
    validate("strict");
    Document indexes = resource("db/indexes.json");
    indexes
        .keySet()
        .forEach(
            collection ->
                indexes
                    .getList(collection, Document.class)
                    .forEach(index -> createIndex(collection, index)));
  }

  private void create(String collection) {
    try {
      database.createCollection(collection);
    } catch (MongoCommandException failed) {
      if (failed.getErrorCode() != NAMESPACE_EXISTS) {
        throw failed;
      }
    }
  }

  private void createSequences() {
    UsedIds used = new UsedIds(database);
    createSequence(SequenceIds.COLLECTION, SequenceIds.RULES, used::highestRule);
    createSequence(SequenceIds.COLLECTION, SequenceIds.AMOUNT_CHANGES, used::highestAmountChange);
    createSequence(CASH_CHANGE_IDS, CASH_CHANGE, used::highestCashChange);
  }

  /** Starts the sequence after the numbers of adopted rules, which must not be used again. */
  private void createSequence(String collection, String name, LongSupplier highest) {
    if (database.getCollection(collection).find(Filters.eq(name)).first() == null) {
      new MongoSequence(database, collection, name)
          .createAfter(Math.max(FIRST_AFTER, highest.getAsLong()));
    }
  }

  private void validate(String level) {
    Document command =
        new Document("collMod", RecurringRuleDocument.COLLECTION)
            .append("validator", resource("db/recurring_rules.schema.json"))
            .append("validationLevel", level)
            .append("validationAction", "error");
    afterBuilds(() -> database.runCommand(command));
  }

  /**
   * Creates an index. Replaces a different index of an older version with the same name or key.
   * Other nodes may do the same at the same time.
   */
  private void createIndex(String collection, Document index) {
    Document command = new Document("createIndexes", collection).append("indexes", List.of(index));
    for (int attempt = 1; ; attempt++) {
      try {
        var unused = database.runCommand(command);
        return;
      } catch (MongoCommandException failed) {
        if (!OTHER_INDEX.contains(failed.getErrorCode()) || attempt == INDEX_TRIES) {
          throw failed;
        }
      }
      dropOther(collection, index);
    }
  }

  /** Drops a different index. Keeps a correct one, which another node has created meanwhile. */
  private void dropOther(String collection, Document index) {
    for (Document each : database.getCollection(collection).listIndexes()) {
      boolean sameName = Objects.equals(each.get("name"), index.get("name"));
      boolean sameKey = Objects.equals(each.get("key"), index.get("key"));
      boolean wanted = sameName && each.entrySet().containsAll(index.entrySet());
      if ((sameName || sameKey) && !wanted) {
        drop(collection, each.getString("name"));
      }
    }
  }

  private void drop(String collection, String name) {
    try {
      afterBuilds(() -> database.getCollection(collection).dropIndex(name));
    } catch (MongoCommandException failed) {
      if (failed.getErrorCode() != INDEX_NOT_FOUND) {
        throw failed;
      }
    }
  }

  /**
   * Repeats a step that the server refuses while another node builds an index of the collection.
   */
  private static void afterBuilds(Runnable step) {
    for (int attempt = 1; ; attempt++) {
      try {
        step.run();
        return;
      } catch (MongoCommandException failed) {
        if (failed.getErrorCode() != BUILD_IN_PROGRESS || attempt == BUILD_TRIES) {
          throw failed;
        }
      }
      LockSupport.parkNanos(BUILD_PAUSE_NANOS);
    }
  }

  private static Document resource(String name) {
    try (InputStream in =
        Objects.requireNonNull(Migrations.class.getClassLoader().getResourceAsStream(name))) {
      return Document.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
