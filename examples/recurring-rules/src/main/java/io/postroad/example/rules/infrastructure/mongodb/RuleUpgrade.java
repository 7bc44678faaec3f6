package io.postroad.example.rules.infrastructure.mongodb;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Brings rules of older versions to the present form. Each step finds only what lacks it, so it can
 * be run again. Needs moderate validation, or none: a rule may need several steps before it is
 * valid.
 */
final class RuleUpgrade {
  private final MongoCollection<Document> rules;

  RuleUpgrade(MongoCollection<Document> rules) {
    this.rules = rules;
  }

  void run() {
    update(
        Filters.and(Filters.exists("amount"), Filters.exists("baseAmount", false)),
        Updates.rename("amount", "baseAmount"));
    update(Filters.exists("version", false), Updates.set("version", 0L));
    update(
        Filters.not(Filters.type("version", "long")),
        List.of(Document.parse("{version: {$toLong: {$ifNull: ['$version', 0]}}}")));
    // Every rule of the present form has a dueFrom, and those that failed a lastFailedAt.
    update(Filters.exists("dueFrom", false), List.of(LastFailure.FIELD, DUE_FROM));
  }

  /** Nothing before the last execution is made up for: what has none was paused or unwanted. */
  private static final Document DUE_FROM =
      Document.parse(
          """
          {dueFrom: {$max: ["$startDate", {$max: {$map: {
            input: {$objectToArray: {$ifNull: ["$executions", {}]}},
            in: {$dateAdd: {
              startDate: {$dateFromString: {dateString: "$$this.k", format: "%Y-%m-%d"}},
              unit: "day", amount: 1}}}}}]}}
          """);

  private void update(Bson where, List<Document> sets) {
    var unused =
        rules.updateMany(where, sets.stream().map(each -> new Document("$set", each)).toList());
  }

  private void update(Bson where, Bson change) {
    var unused = rules.updateMany(where, change);
  }
}
