package io.postroad.postgres.internal.log;

import io.postroad.postgres.internal.admin.AsideSql;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.queue.QueueAside;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.store.OrderKey;
import io.postroad.store.SetAside;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/** Keys of a lane that wait until their destination is open. */
public final class LogAside {
  private final Database database;
  private final AsideSql sql;

  public LogAside(Database database, AsideSql sql) {
    this.database = database;
    this.sql = sql;
  }

  public Set<String> destinations(LaneLease lease) {
    return database.call(
        "read the destinations set aside in lane " + lease.lane(),
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.destinations)) {
            new Parameters(statement).fence(lease);
            try (ResultSet row = Database.query(statement)) {
              return destinations(lease, row);
            }
          }
        });
  }

  private static Set<String> destinations(LaneLease lease, ResultSet row) throws SQLException {
    Set<String> destinations = new HashSet<>();
    boolean mine = false;
    while (row.next()) {
      mine = true;
      QueueAside.addTo(destinations, row);
    }
    if (!mine) {
      throw new LaneLostException(lease, "see what is set aside");
    }
    return destinations;
  }

  public Set<OrderKey> open(LaneLease lease, String destination, int limit) {
    SetAside.checkLimit(limit);
    return database.call(
        "open destination %s in lane %d".formatted(destination, lease.lane()),
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.open)) {
            new Parameters(statement).fence(lease).fence(lease).add(destination).add(limit);
            return opened(statement, lease);
          }
        });
  }

  /** Walks over the results: settings, lock, keys. */
  private static Set<OrderKey> opened(PreparedStatement statement, LaneLease lease)
      throws SQLException {
    try (ResultSet locked = Database.query(statement)) {
      if (!locked.next()) {
        throw new LaneLostException(lease, "open a destination");
      }
    }
    statement.getMoreResults();
    Set<OrderKey> keys = new HashSet<>();
    try (ResultSet row = statement.getResultSet()) {
      while (row.next()) {
        keys.add(new OrderKey(row.getString(1), row.getString(2)));
      }
    }
    return keys;
  }
}
