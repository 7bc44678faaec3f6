package io.postroad.postgres.internal.log;

import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** ADVANCE: writes down how far a lane is settled. */
public final class LogCursor {
  private final Database database;
  private final LogSql sql;

  public LogCursor(Database database, LogSql sql) {
    this.database = database;
    this.sql = sql;
  }

  public void advance(LaneLease lease, LogPosition upTo) {
    int written =
        database.call("advance lane " + lease.lane(), connection -> write(connection, lease, upTo));
    if (written == 0) {
      throw new LaneLostException(lease, "advance to " + upTo);
    }
  }

  private int write(Connection connection, LaneLease lease, LogPosition upTo) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.advance)) {
      bind(new Parameters(statement).fence(lease), upTo);
      return Database.update(statement);
    }
  }

  static Parameters bind(Parameters parameters, LogPosition position) throws SQLException {
    return parameters
        .add(position.head())
        .add(position.seen().snapshot().toString())
        .add(Long.toString(position.seen().next()))
        .add(position.window().map(LogPosition.Window::after).orElse(null))
        .add(position.window().map(open -> open.seen().snapshot().toString()).orElse(null))
        .add(position.window().map(open -> Long.toString(open.seen().next())).orElse(null))
        .add(position.floor().sure())
        .add(position.origin().systemId())
        .add(position.origin().timeline())
        .add(position.origin().copiedUpTo());
  }
}
