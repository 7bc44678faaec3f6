package io.postroad.postgres;

import java.sql.PreparedStatement;

/** Removes deduplication keys past their window, a bounded number at a time. */
final class KeyPurger {
  private final Database database;
  private final OutboxSql sql;

  KeyPurger(Database database, OutboxSql sql) {
    this.database = database;
    this.sql = sql;
  }

  /** How many were removed. */
  int purge(int limit) {
    return database.call(
        "purge deduplication keys",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.purgeKeys)) {
            statement.setInt(1, limit);
            return Database.update(statement);
          }
        });
  }
}
