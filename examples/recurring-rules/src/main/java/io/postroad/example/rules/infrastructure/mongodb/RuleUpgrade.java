package io.postroad.example.rules.infrastructure.mongodb;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Upgrades rules of older versions. Each step finds only documents that need it, so it can be
 * repeated. Needs moderate validation, or none, because a rule may need several steps before it is
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
    // Every current rule has a dueFrom, and a lastFailedAt if a date failed.
    update(Filters.exists("dueFrom", false), List.of(LastFailure.FIELD, DUE_FROM));
  }

  /** Starts at the last execution: earlier dates without an execution were paused or not wanted. */
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
