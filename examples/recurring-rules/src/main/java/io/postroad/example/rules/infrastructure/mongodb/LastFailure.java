package io.postroad.example.rules.infrastructure.mongodb;

import org.bson.Document;

/**
 * The time of the latest failure among the executions of a rule, as an expression: {@code
 * executions} has dates as names, so no index reaches into it.
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
