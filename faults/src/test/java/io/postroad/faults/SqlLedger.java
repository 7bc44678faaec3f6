package io.postroad.faults;

import io.postroad.message.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** The tables {@code account} and {@code booking}. */
final class SqlLedger implements Ledger<Connection> {
  private final Sql sql;

  private SqlLedger(Sql sql) {
    this.sql = sql;
  }

  static SqlLedger create(Sql sql) throws SQLException {
    sql.execute("CREATE TABLE account (name text PRIMARY KEY, bookings int NOT NULL)");
    sql.execute("CREATE TABLE booking (event_id uuid PRIMARY KEY, account text NOT NULL)");
    return new SqlLedger(sql);
  }

  @Override
  public void openAccounts(Set<String> accounts) throws SQLException {
    for (String account : accounts) {
      sql.execute("INSERT INTO account VALUES ('" + account + "', 0) ON CONFLICT DO NOTHING");
    }
  }

  @Override
  public int count(Connection connection, String account) throws SQLException {
    String update = "UPDATE account SET bookings = bookings + 1 WHERE name = ? RETURNING bookings";
    try (PreparedStatement count = connection.prepareStatement(update)) {
      count.setString(1, account);
      try (ResultSet result = count.executeQuery()) {
        result.next();
        return result.getInt(1);
      }
    }
  }

  @Override
  public void insert(Connection connection, List<Message> events) throws SQLException {
    String sql = "INSERT INTO booking (event_id, account) VALUES (?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (Message event : events) {
        insert.setObject(1, event.id());
        insert.setString(2, event.key().orElseThrow());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }
}
