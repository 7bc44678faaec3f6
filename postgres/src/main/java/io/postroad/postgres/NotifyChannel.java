package io.postroad.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The NOTIFY channel that the nodes of one outbox share, as one node sees it. */
final class NotifyChannel {
  private static final int TIMEOUT_SECONDS = 10;

  // A hint is not worth a wait for the disk.
  private static final String NOTIFY =
      "SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)";

  private final DataSource dataSource;
  private final String name;
  private final String node = UUID.randomUUID().toString();

  NotifyChannel(DataSource dataSource, String name) {
    this.dataSource = dataSource;
    this.name = name;
  }

  String name() {
    return name;
  }

  /** A connection in autocommit; the caller closes it. */
  Connection connect() throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      if (!connection.getAutoCommit()) {
        connection.setAutoCommit(true);
      }
      return connection;
    } catch (SQLException failed) {
      connection.close();
      throw failed;
    }
  }

  /** Tells the other nodes, in a transaction of its own. */
  void send() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(NOTIFY)) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      statement.setString(1, name);
      statement.setString(2, node);
      statement.execute();
    }
  }

  /** Subscribes this connection. */
  PGConnection listen(Connection connection) throws SQLException {
    PGConnection listening = connection.unwrap(PGConnection.class);
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      statement.execute("LISTEN \"" + name + "\"");
    }
    return listening;
  }

  /** Ends the subscription, so that the connection can go back to its pool. */
  void unlisten(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      statement.execute("UNLISTEN \"" + name + "\"");
    }
    connection.unwrap(PGConnection.class).getNotifications();
  }

  /** Waits for notifications; says whether some came from this node and some from others. */
  Heard await(PGConnection listening, int millis) throws SQLException {
    PGNotification @Nullable [] heard = listening.getNotifications(millis);
    if (heard == null || heard.length == 0) {
      return new Heard(false, false);
    }
    return new Heard(
        Arrays.stream(heard).anyMatch(hint -> hint.getParameter().equals(node)),
        Arrays.stream(heard).anyMatch(hint -> !hint.getParameter().equals(node)));
  }

  /** Who was heard. */
  record Heard(boolean ourselves, boolean others) {
    boolean nothing() {
      return !ourselves && !others;
    }
  }
}
