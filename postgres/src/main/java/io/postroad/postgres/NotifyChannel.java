package io.postroad.postgres;

import io.postroad.postgres.PostgresOptions.WakeUpMode;
import io.postroad.store.hint.HintChannel;
import io.postroad.store.hint.NodeWakeUps;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The NOTIFY channel that the nodes of one outbox share, as one node sees it. */
final class NotifyChannel implements HintChannel {
  private static final int TIMEOUT_SECONDS = 10;

  // A hint is not worth a wait for the disk.
  private static final String NOTIFY =
      "SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)";

  private final Database database;
  private final String name;
  private final String node = UUID.randomUUID().toString();

  NotifyChannel(Database database, String name) {
    this.database = database;
    this.name = name;
  }

  /** The hints of an outbox with these options. */
  static NodeWakeUps wakeUps(Database database, PostgresOptions options) {
    NotifyChannel channel = new NotifyChannel(database, options.channel());
    return options.wakeUpMode() == WakeUpMode.NOTIFY
        ? NodeWakeUps.acrossNodes(channel)
        : NodeWakeUps.local(channel);
  }

  @Override
  public String store() {
    return "postgres";
  }

  @Override
  public String name() {
    return name;
  }

  /** Tells the other nodes, in a transaction of its own. */
  @Override
  public void send() throws SQLException {
    this.<Boolean>borrow(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(NOTIFY)) {
            statement.setQueryTimeout(TIMEOUT_SECONDS);
            statement.setString(1, name);
            statement.setString(2, node);
            return statement.execute();
          }
        });
  }

  @Override
  public AutoCloseable listen(Runnable hint) {
    ChannelListener listener = new ChannelListener(this, hint);
    listener.start();
    return listener;
  }

  /** Runs work on a connection for as long as it takes. */
  <R> R borrow(Database.Work<R> work) throws SQLException {
    return database.borrow(work);
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
