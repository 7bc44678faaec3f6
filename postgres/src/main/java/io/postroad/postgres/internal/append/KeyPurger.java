package io.postroad.postgres.internal.append;

import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.queue.OutboxSql;
import java.sql.PreparedStatement;

/** Removes deduplication keys past their window, a bounded number at a time. */
public final class KeyPurger {
  private final Database database;
  private final OutboxSql sql;

  public KeyPurger(Database database, OutboxSql sql) {
    this.database = database;
    this.sql = sql;
  }

  /** How many were removed. */
  public int purge(int limit) {
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
