package io.postroad.postgres.internal.append;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.jdbc.BatchColumns;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import io.postroad.postgres.internal.log.LogSql;
import io.postroad.store.OrderKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** LOCK KEYS: advisory locks on the caller's connection, which end with its transaction. */
public final class KeyLocks {
  private final LogSql sql;
  private final String place;

  public KeyLocks(LogSql sql, PostgresOptions options) {
    this.sql = sql;
    this.place = "postroad key " + options.qualified("") + " ";
  }

  public void lock(Connection transaction, Set<OrderKey> keys) {
    try {
      Appender.requireTransaction(transaction, "lockKeys");
      if (keys.isEmpty()) {
        return;
      }
      try (PreparedStatement statement = transaction.prepareStatement(sql.lockKeys)) {
        new BatchColumns<>(statement, List.copyOf(keys))
            .texts(key -> place + key.destination() + '\n' + key.name());
        statement.executeQuery().close();
      }
    } catch (SQLException failed) {
      throw SqlErrors.failed("lock " + keys.size() + " key(s)", failed);
    }
  }
}
