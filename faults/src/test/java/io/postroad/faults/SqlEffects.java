package io.postroad.faults;

import io.postroad.message.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The table {@code effect}. */
record SqlEffects(Sql sql) implements Effects<Connection> {
  private static final String INSERT =
      """
      INSERT INTO effect (message_id, key, number, before)
      SELECT ?, ?, ?, (SELECT count(*) FROM effect WHERE key = ?)
      """;

  void create() throws SQLException {
    sql.execute("CREATE TABLE effect (message_id uuid, key text, number int, before int)");
    sql.execute("CREATE INDEX ON effect (key)");
  }

  @Override
  public void add(Connection connection, Message message) throws SQLException {
    String key = message.key().orElseThrow();
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setObject(1, message.id());
      insert.setString(2, key);
      insert.setInt(3, Effects.numberOf(message));
      insert.setString(4, key);
      insert.executeUpdate();
    }
  }

  @Override
  public void oncePerKey() throws SQLException {
    sql.execute("CREATE UNIQUE INDEX ON effect (key)");
  }

  @Override
  public List<Effect> all() throws SQLException {
    List<Effect> effects = new ArrayList<>();
    try (Connection connection = sql.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT message_id, key, number, before FROM effect")) {
      while (row.next()) {
        effects.add(
            new Effect(
                row.getObject(1, UUID.class), row.getString(2), row.getInt(3), row.getInt(4)));
      }
    }
    return effects;
  }

  @Override
  public int messages() throws SQLException {
    return (int) sql.number("SELECT count(DISTINCT message_id) FROM effect");
  }
}
