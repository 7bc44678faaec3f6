package io.postroad.example.rules.infrastructure.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import io.postroad.mongodb.MongoSequence;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bson.Document;

/**
 * Collections, validator, sequences and indexes, and old rules brought to their present form.
 *
 * <p>Every step can be run again and by several nodes at once, so all of them run at each start: a
 * crash between two steps is made good by the next start. Documents are touched only where they are
 * old.
 */
public final class Migrations {
  /** The number after this one is the first. */
  static final long FIRST_AFTER = 10_000_000L;

  static final String CASH_CHANGES = "cash_changes";
  static final String CASH_CHANGE_IDS = "cash_change_ids";
  static final String CASH_CHANGE = "cash_change";
  static final String OUTBOX = "outbox";

  private static final int NAMESPACE_EXISTS = 48;
  private static final Set<Integer> OTHER_INDEX_OF_THAT_NAME = Set.of(85, 86);

  private final MongoDatabase database;

  public Migrations(MongoDatabase database) {
    this.database = database;
  }

  void run() {
    List.of(RecurringRuleDocument.COLLECTION, OUTBOX, CASH_CHANGES).forEach(this::create);
    createSequences();
    // While old documents are among them: those must be able to change step by step.
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
    new MongoSequence(database, SequenceIds.COLLECTION, SequenceIds.RULES).createAfter(FIRST_AFTER);
    new MongoSequence(database, SequenceIds.COLLECTION, SequenceIds.AMOUNT_CHANGES)
        .createAfter(FIRST_AFTER);
    new MongoSequence(database, CASH_CHANGE_IDS, CASH_CHANGE).createAfter(FIRST_AFTER);
  }

  private void validate(String level) {
    var unused =
        database.runCommand(
            new Document("collMod", RecurringRuleDocument.COLLECTION)
                .append("validator", resource("db/recurring_rules.schema.json"))
                .append("validationLevel", level)
                .append("validationAction", "error"));
  }

  /** An index that has the name and is another one is replaced: an older version made it. */
  private void createIndex(String collection, Document index) {
    Document command = new Document("createIndexes", collection).append("indexes", List.of(index));
    try {
      var unused = database.runCommand(command);
    } catch (MongoCommandException failed) {
      if (!OTHER_INDEX_OF_THAT_NAME.contains(failed.getErrorCode())) {
        throw failed;
      }
      database.getCollection(collection).dropIndex(index.getString("name"));
      var unused = database.runCommand(command);
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
