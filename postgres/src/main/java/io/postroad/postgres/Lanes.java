package io.postroad.postgres;

import io.postroad.message.PostroadException;
import io.postroad.postgres.LogPosition.Origin;
import io.postroad.postgres.LogPosition.Seen;
import io.postroad.store.LaneBoard;
import io.postroad.store.LaneLease;
import io.postroad.store.LaneLostException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who owns which lane: ATTEND, TAKE, RENEW, RELEASE, LEAVE. */
final class Lanes {
  private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

  private final Database database;
  private final LaneSql sql;

  Lanes(Database database, LaneSql sql) {
    this.database = database;
    this.sql = sql;
  }

  /** How many the schema was set up with. */
  int count() {
    return database.call(
        "count the lanes",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.lanes);
              ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getInt(1);
          }
        });
  }

  LaneBoard attend(String node, Duration seenFor) {
    return database.call(
        "attend as node " + node,
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.attend)) {
            statement.setString(1, node);
            statement.setLong(2, SqlTimes.micros(seenFor));
            Database.update(statement);
          }
          List<String> nodes = new ArrayList<>();
          try (PreparedStatement statement = database.prepare(connection, sql.nodes);
              ResultSet row = statement.executeQuery()) {
            while (row.next()) {
              nodes.add(row.getString(1));
            }
          }
          return new LaneBoard(nodes, seats(connection));
        });
  }

  private List<LaneBoard.Seat> seats(Connection connection) throws SQLException {
    List<LaneBoard.Seat> seats = new ArrayList<>();
    try (PreparedStatement statement = database.prepare(connection, sql.seats);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        seats.add(new LaneBoard.Seat(row.getInt(1), Optional.ofNullable(row.getString(2))));
      }
    }
    return seats;
  }

  /** Returns the node that holds the lease of a lane now. */
  Optional<String> owner(int lane) {
    return database.call("find the owner of lane " + lane, this::seats).stream()
        .filter(seat -> seat.lane() == lane)
        .findFirst()
        .flatMap(LaneBoard.Seat::owner);
  }

  void leave(String node) {
    int unused =
        database.call(
            "leave as node " + node,
            connection -> {
              try (PreparedStatement statement = database.prepare(connection, sql.leave)) {
                statement.setString(1, node);
                return Database.update(statement);
              }
            });
  }

  Optional<LaneLease> take(int lane, String node, Duration leaseFor) {
    try {
      return take(lane, node, leaseFor, Optional.empty());
    } catch (SequenceBehindException behind) {
      startAllOver(behind.origin);
      raiseSequence();
      return take(lane, node, leaseFor, behind.rescan);
    }
  }

  /**
   * One transaction. Each step is a statement, so that it sees what the locks before it have waited
   * for: an advance of the owner before, that was on its way, has ended when the position is read.
   */
  private Optional<LaneLease> take(
      int lane, String node, Duration leaseFor, Optional<String> rescan) {
    return database.transact(
        "take lane " + lane,
        connection -> {
          makeDurable(connection);
          Owned before = lock(connection, lane);
          if (before.holds && !node.equals(before.node)) {
            return Optional.empty();
          }
          long epoch = Math.max(before.epoch, lastEpochBefore(timeline(connection))) + 1;
          wake(connection, lane, epoch);
          Optional<Stored> stored = lastPosition(connection, lane);
          Start start = start(connection, lane, stored);
          boolean clean = before.node == null || node.equals(before.node);
          boolean progress = stored.isPresent() && stored.get().epoch == before.epoch;
          int crashes = clean ? 0 : progress ? 1 : before.unclean + 1;
          own(connection, lane, node, epoch, crashes, leaseFor);
          return Optional.of(
              new LaneLease(
                  lane,
                  node,
                  epoch,
                  start.position,
                  clean ? Optional.empty() : Optional.ofNullable(before.node),
                  crashes,
                  rescan.or(() -> start.rescan)));
        });
  }

  /**
   * A promoted server may not know of the last epochs of the one before, whose owners may come back
   * to it: each timeline has epochs of its own.
   */
  private static long lastEpochBefore(int timeline) {
    return (timeline - 1L) << 40;
  }

  private int timeline(Connection connection) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.timeline);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }

  /**
   * The places of the sequence are given out again, so no position of any lane means anything. All
   * are given up before the sequence is raised: whoever comes after a crash in between finds it
   * behind, or nothing that it is behind of.
   */
  private void startAllOver(Origin origin) {
    int lanes =
        database.transact(
            "start all lanes over",
            connection -> {
              makeDurable(connection);
              lockAll(connection);
              try (PreparedStatement statement = database.prepare(connection, sql.disownAll)) {
                statement.executeUpdate();
              }
              try (PreparedStatement statement = database.prepare(connection, sql.startAllOver)) {
                LogCursor.bind(new Parameters(statement), LogPosition.start(origin));
                return statement.executeUpdate();
              }
            });
    LOG.warn(
        "postgres: the sequence of places went back; all that is stored is read again: lanes={}",
        lanes);
  }

  private void raiseSequence() {
    database.transact(
        "raise the sequence of places",
        connection -> {
          lockAll(connection);
          try (PreparedStatement statement = database.prepare(connection, sql.raiseSequence)) {
            return statement.execute();
          }
        });
  }

  /** Nobody takes a lane meanwhile, and whoever was about to has it. */
  private void lockAll(Connection connection) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.lockAll)) {
      statement.executeQuery().close();
    }
  }

  /** Places were given out that are there already, or were read. */
  private static final class SequenceBehindException extends PostroadException {
    private static final long serialVersionUID = 1L;

    private final transient Origin origin;
    private final transient Optional<String> rescan;

    SequenceBehindException(Origin origin, long drawn, long head, long newest) {
      super(
          "the sequence of places was at %d, behind place %d"
              .formatted(drawn, Math.max(head, newest)));
      this.origin = origin;
      this.rescan =
          drawn < head
              ? Optional.of(
                  "the sequence of places was at %d, behind place %d that was read; it was raised, and"
                          .formatted(drawn, head)
                      + " all that is still stored of every lane is read again")
              : Optional.empty();
    }
  }

  void renew(LaneLease lease, Duration leaseFor) {
    int renewed =
        database.call(
            "renew the lease of lane " + lease.lane(),
            connection -> {
              try (PreparedStatement statement = database.prepare(connection, sql.renew)) {
                statement.setLong(1, SqlTimes.micros(leaseFor));
                statement.setInt(2, lease.lane());
                statement.setLong(3, lease.epoch());
                statement.setInt(4, lease.lane());
                statement.setLong(5, lease.epoch());
                return Database.update(statement);
              }
            });
    if (renewed == 0) {
      throw new LaneLostException(lease, "renew its lease");
    }
  }

  void release(LaneLease lease) {
    int unused =
        database.call(
            "release lane " + lease.lane(),
            connection -> {
              try (PreparedStatement statement = database.prepare(connection, sql.release)) {
                statement.setInt(1, lease.lane());
                statement.setLong(2, lease.epoch());
                return Database.update(statement);
              }
            });
  }

  /** A lane's row before it is taken. */
  private record Owned(@Nullable String node, long epoch, int unclean, boolean holds) {}

  /** The latest position and the epoch that wrote it. */
  private record Stored(long epoch, LogPosition position) {}

  /** Where a new owner begins, and why that is not where the last one ended. */
  private record Start(LogPosition position, Optional<String> rescan) {}

  private void makeDurable(Connection connection) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.durable)) {
      statement.execute();
    }
  }

  private Owned lock(Connection connection, int lane) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.lock)) {
      statement.setInt(1, lane);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new IllegalArgumentException("there is no lane " + lane);
        }
        return new Owned(row.getString(1), row.getLong(2), row.getInt(3), row.getBoolean(4));
      }
    }
  }

  private void wake(Connection connection, int lane, long epoch) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.wake)) {
      statement.setInt(1, lane);
      statement.setLong(2, epoch);
      statement.executeUpdate();
    }
  }

  private Optional<Stored> lastPosition(Connection connection, int lane) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.lastPosition)) {
      statement.setInt(1, lane);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(stored(row)) : Optional.empty();
      }
    }
  }

  private static Stored stored(ResultSet row) throws SQLException {
    long head = row.getLong(2);
    Seen seen = new Seen(TxSnapshot.parse(row.getString(3)), row.getLong(4));
    @Nullable String windowSnapshot = row.getString(6);
    Optional<LogPosition.Window> window =
        windowSnapshot == null
            ? Optional.empty()
            : Optional.of(
                new LogPosition.Window(
                    new Seen(TxSnapshot.parse(windowSnapshot), row.getLong(7)), row.getLong(5)));
    LogPosition.Floor floor = new LogPosition.Floor(row.getLong(8), seen.next(), head);
    Origin origin = new Origin(row.getLong(9), row.getInt(10));
    return new Stored(row.getLong(1), new LogPosition(head, seen, window, floor, origin));
  }

  private Start start(Connection connection, int lane, Optional<Stored> stored)
      throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.server)) {
      statement.setInt(1, lane);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        Origin origin = new Origin(row.getLong(1), row.getInt(2));
        TxSnapshot now = TxSnapshot.parse(row.getString(3));
        long drawn = row.getLong(4);
        long newest = row.getLong(5);
        @Nullable LogPosition last = stored.map(Stored::position).orElse(null);
        long head = last == null ? 0 : last.head();
        requireNoCache(row.getLong(6));
        if (drawn < Math.max(newest, head)) {
          throw new SequenceBehindException(origin, drawn, head, newest);
        }
        if (last == null) {
          return new Start(LogPosition.start(origin), Optional.empty());
        }
        return start(last, origin, now);
      }
    }
  }

  /** A session that keeps places for later uses them when the reader has passed them. */
  private static void requireNoCache(long cache) {
    if (cache != 1) {
      throw new PostroadException(
          "the sequence of places has CACHE %d, with which messages would be lost; run ALTER SEQUENCE %s CACHE 1, and end the sessions that appended meanwhile"
              .formatted(cache, SchemaGrants.SEQUENCE));
    }
  }

  private static Start start(LogPosition last, Origin origin, TxSnapshot now) {
    if (!last.origin().equals(origin)) {
      long floor = last.floor().sure();
      return new Start(
          LogPosition.settledUpTo(floor, new Seen(now, now.xmax()), origin),
          Optional.of(
              "the position was written on another server or timeline (%s, now %s); the lane is"
                      .formatted(last.origin(), origin)
                  + " read again after place %d, up to place %d that is a repetition"
                      .formatted(floor, last.head())));
    }
    return new Start(last, Optional.empty());
  }

  private void own(
      Connection connection, int lane, String node, long epoch, int crashes, Duration leaseFor)
      throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.own)) {
      statement.setString(1, node);
      statement.setLong(2, epoch);
      statement.setInt(3, crashes);
      statement.setLong(4, SqlTimes.micros(leaseFor));
      statement.setInt(5, lane);
      statement.executeUpdate();
    }
  }
}
