package io.postroad.postgres.internal.log;

import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;

/** ADMIT: scheduled messages take their place in the log when they are due. */
public final class Schedule {
  private final Database database;
  private final HeldSql sql;
  private final LogTables tables;

  public Schedule(Database database, HeldSql sql, LogTables tables) {
    this.database = database;
    this.sql = sql;
    this.tables = tables;
  }

  public int admitDue(LaneLease lease, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("admitDue limit must be 1 or more, got " + limit);
    }
    String text = sql.admit.get(tables.current());
    return database.call(
        "admit scheduled messages of lane " + lease.lane(),
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, text)) {
            new Parameters(statement)
                .fence(lease)
                .add(lease.lane())
                .fence(lease)
                .add(lease.lane())
                .add(limit);
            try (ResultSet row = Database.query(statement)) {
              if (!row.next()) {
                throw new LaneLostException(lease, "admit scheduled messages");
              }
              return row.getInt(1);
            }
          }
        });
  }
}
