package io.postroad.example.rules.infrastructure.mongodb;

import org.bson.Document;

/**
 * Computes the time of the latest failure of a rule in the database: {@code executions} has dates
 * as field names, which no index can cover.
 */
final class LastFailure {
  static final Document FIELD =
      Document.parse(
          """
          {lastFailedAt: {$max: {$map: {
            input: {$filter: {
              input: {$objectToArray: {$ifNull: ["$executions", {}]}},
              cond: {$eq: ["$$this.v.status", "FAILED"]}}},
            in: "$$this.v.executedAt"}}}}
          """);

  private LastFailure() {}
}
