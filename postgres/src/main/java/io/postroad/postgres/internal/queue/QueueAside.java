package io.postroad.postgres.internal.queue;

import io.postroad.postgres.internal.admin.AsideSql;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.store.BlockedDestination;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Messages of the queue that wait until their destination is open. */
public final class QueueAside {
  private final Database database;
  private final AsideSql sql;

  public QueueAside(Database database, AsideSql sql) {
    this.database = database;
    this.sql = sql;
  }

  public Set<String> destinations() {
    return database.call(
        "read the destinations of messages set aside",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.destinations);
              ResultSet row = Database.query(statement)) {
            Set<String> destinations = new HashSet<>();
            while (row.next()) {
              addTo(destinations, row);
            }
            return destinations;
          }
        });
  }

  public static void addTo(Set<String> destinations, ResultSet row) throws SQLException {
    @Nullable String destination = row.getString(1);
    if (destination != null) {
      destinations.add(destination);
    }
  }

  public int open(String destination, int limit) {
    BlockedDestination.checkLimit(limit);
    return database.call(
        "open destination " + destination,
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.open)) {
            new Parameters(statement).add(destination).add(limit);
            return Database.update(statement);
          }
        });
  }
}
