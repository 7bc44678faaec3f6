package io.postroad.postgres.internal.queue;

import io.postroad.postgres.internal.append.KeyPurger;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.store.PurgeResult;
import java.sql.PreparedStatement;
import java.time.Duration;

/** PURGE: removes delivered messages and forgotten keys, a bounded number at a time. */
public final class Purger {
  private final Database database;
  private final OutboxSql sql;
  private final KeyPurger keys;

  public Purger(Database database, OutboxSql sql) {
    this.database = database;
    this.sql = sql;
    this.keys = new KeyPurger(database, sql);
  }

  public PurgeResult purge(Duration olderThan, int limit) {
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
