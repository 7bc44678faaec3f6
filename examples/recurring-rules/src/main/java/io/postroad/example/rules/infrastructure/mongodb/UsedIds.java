package io.postroad.example.rules.infrastructure.mongodb;

import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Finds the highest used numbers, or 0. Each call reads all documents, for databases without a
 * sequence.
 */
final class UsedIds {
  private static final String NUMBER = "^%s\\d{8}$";
  private static final int PREFIX = 2;

  private final MongoDatabase database;

  UsedIds(MongoDatabase database) {
    this.database = database;
  }

  long highestRule() {
    return highest(RecurringRuleDocument.COLLECTION, "RR", List.of("{$set: {id: '$_id'}}"));
  }

  long highestAmountChange() {
    return highest(
        RecurringRuleDocument.COLLECTION,
        "AC",
        List.of("{$unwind: '$amountChanges'}", "{$set: {id: '$amountChanges.changeId'}}"));
  }

  /** Considers generated cash changes and those in executions. */
  long highestCashChange() {
    long generated = highest(Migrations.CASH_CHANGES, "CC", List.of("{$set: {id: '$_id'}}"));
    long noted =
        highest(
            RecurringRuleDocument.COLLECTION,
            "CC",
            List.of(
                "{$set: {each: {$objectToArray: {$ifNull: ['$executions', {}]}}}}",
                "{$unwind: '$each'}",
                "{$set: {id: '$each.v.generatedCashChangeId'}}"));
    return Math.max(generated, noted);
  }

  /** Compares as text, because all ids have the same length. */
  private long highest(String collection, String prefix, List<String> steps) {
    List<Document> pipeline = new ArrayList<>();
    steps.forEach(step -> pipeline.add(Document.parse(step)));
    pipeline.add(
        new Document(
            "$match", new Document("id", new Document("$regex", NUMBER.formatted(prefix)))));
    pipeline.add(Document.parse("{$group: {_id: null, highest: {$max: '$id'}}}"));
    @Nullable Document found = database.getCollection(collection).aggregate(pipeline).first();
    return found == null ? 0 : Long.parseLong(found.getString("highest").substring(PREFIX));
  }
}
