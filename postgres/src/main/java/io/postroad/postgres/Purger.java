package io.postroad.postgres;

import io.postroad.store.PurgeResult;
import java.sql.PreparedStatement;
import java.time.Duration;

/** PURGE: removes delivered messages and forgotten keys, a bounded number at a time. */
final class Purger {
  private final Database database;
  private final OutboxSql sql;
  private final KeyPurger keys;

  Purger(Database database, OutboxSql sql) {
    this.database = database;
    this.sql = sql;
    this.keys = new KeyPurger(database, sql);
  }

  PurgeResult purge(Duration olderThan, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("purge limit must be 1 or more, got " + limit);
    }
    int messages =
        database.call(
            "purge delivered messages",
            connection -> {
              try (PreparedStatement statement = database.prepare(connection, sql.purgeMessages)) {
                statement.setLong(1, SqlTimes.micros(olderThan));
                statement.setInt(2, limit);
                return Database.update(statement);
              }
            });
    keys.purge(limit);
    return PurgeResult.removed(messages, messages == limit);
  }
}
