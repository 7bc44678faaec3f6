package io.postroad.postgres.internal.jdbc;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOptions.WakeUpMode;
import io.postroad.spi.hint.HintChannel;
import io.postroad.spi.hint.NodeWakeUps;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The NOTIFY channel that the nodes of one outbox or command store share, as one node sees it. */
public final class NotifyChannel implements HintChannel {
  private static final int TIMEOUT_SECONDS = 10;

  // A hint is not worth a wait for the disk.
  private static final String NOTIFY =
      "SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)";

  // A notification costs a commit even when no session listens, and the server does not tell which
  // sessions listen. So each listener holds a shared lock.
  private static final String LOCK =
      "SELECT pg_advisory_lock_shared(hashtextextended('postroad listens ' || ?, 0))";
  private static final String UNLOCK =
      "SELECT pg_advisory_unlock_shared(hashtextextended('postroad listens ' || ?, 0))";
  private static final String IS_HEARD =
      """
      SELECT EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid <> ?
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND (CAST(classid AS bigint) << 32) | CAST(objid AS bigint)
            = hashtextextended('postroad listens ' || ?, 0))
      """;
  private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Database database;
  private final String name;
  private final String node = UUID.randomUUID().toString();
  private volatile int listeningPid;

  private boolean heard;
  private long askAt = System.nanoTime();

  NotifyChannel(Database database, String name) {
    this.database = database;
    this.name = name;
  }

  /** The hints of an outbox with these options. */
  public static NodeWakeUps wakeUps(Database database, PostgresOptions options) {
    return wakeUps(new NotifyChannel(database, options.channel()), options);
  }

  /** The hints of commands with these options. */
  public static NodeWakeUps ofCommands(Database database, PostgresOptions options) {
    return wakeUps(new NotifyChannel(database, options.commandChannel()), options);
  }

  private static NodeWakeUps wakeUps(NotifyChannel channel, PostgresOptions options) {
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

  @Override
  public boolean send() throws SQLException {
    return borrow(
        connection -> {
          boolean heardNow = isHeard(connection);
          if (heardNow) {
            notify(connection);
          }
          return heardNow;
        });
  }

  /** Notifies all listeners, {@link #await} of this channel included. */
  void echo() throws SQLException {
    this.<Boolean>borrow(this::notify);
  }

  /** In a transaction of its own. */
  private boolean notify(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(NOTIFY)) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      statement.setString(1, name);
      statement.setString(2, node);
      return statement.execute();
    }
  }

  private synchronized boolean isHeard(Connection connection) throws SQLException {
    if (System.nanoTime() - askAt >= 0) {
      try (PreparedStatement statement = connection.prepareStatement(IS_HEARD)) {
        statement.setQueryTimeout(TIMEOUT_SECONDS);
        statement.setInt(1, listeningPid);
        statement.setString(2, name);
        try (ResultSet row = statement.executeQuery()) {
          heard = row.next() && row.getBoolean(1);
        }
      }
      askAt = System.nanoTime() + (heard ? ASK_NANOS : 0);
    }
    return heard;
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

  /** Subscribes this connection, which has heard nothing yet. */
  PGConnection listen(Connection connection) throws SQLException {
    PGConnection listening = connection.unwrap(PGConnection.class);
    execute("LISTEN \"" + name + "\"", connection);
    // A pooler may have delivered what others listened to while they had its connection.
    listening.getNotifications();
    return listening;
  }

  /** Ends the subscription. */
  void unlisten(Connection connection) throws SQLException {
    execute("UNLISTEN \"" + name + "\"", connection);
    connection.unwrap(PGConnection.class).getNotifications();
  }

  /**
   * Makes others notify, until {@link #withdraw}. Only for a connection that was heard to listen:
   * behind a transaction pooler no session could release the lock.
   */
  void announce(Connection connection) throws SQLException {
    listeningPid = pid(connection);
    run(LOCK, connection);
  }

  /** Others need not notify any more because of this connection. */
  void withdraw(Connection connection) throws SQLException {
    run(UNLOCK, connection);
  }

  /** As the server knows it: to the driver a pooler may have given a number that it made up. */
  private static int pid(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      try (ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private static void execute(String command, Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      statement.execute(command);
    }
  }

  private void run(String lock, Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(lock)) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      statement.setString(1, name);
      statement.executeQuery().close();
    }
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

  /** The notifications that arrived. */
  record Heard(boolean ourselves, boolean others) {
    boolean nothing() {
      return !ourselves && !others;
    }
  }
}
