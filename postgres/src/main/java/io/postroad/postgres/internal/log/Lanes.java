package io.postroad.postgres.internal.log;

import io.postroad.internal.store.LaneOwnership;
import io.postroad.message.PostroadException;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.postgres.internal.log.LogPosition.Origin;
import io.postroad.postgres.internal.log.LogPosition.Seen;
import io.postroad.postgres.internal.schema.SchemaGrants;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.LaneStore;
import io.postroad.spi.Membership;
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

/** Decides which node owns which lane. */
public final class Lanes implements LaneStore {
  private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

  /** Longer than an autovacuum needs to give way, and short: appends wait behind it. */
  private static final String WRITERS_PATIENCE = "2s";

  private final Database database;
  private final int lanes;
  private final LaneSql sql;
  private final LogLocks locks;

  public Lanes(Database database, PostgresOptions options, LogLocks locks) {
    this.database = database;
    this.lanes = options.lanes();
    this.sql = new LaneSql(options);
    this.locks = locks;
  }

  @Override
  public int count() {
    return lanes;
  }

  /** Returns how many lanes the schema was set up with. */
  public int storedCount() {
    return database.call(
        "count the lanes",
        connection -> one(connection, sql.lanes, parameters -> {}, row -> row.getInt(1)));
  }

  @Override
  public Membership heartbeat(String node, Duration seenFor) {
    return database.call(
        "send the heartbeat of node " + node,
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.heartbeat)) {
            new Parameters(statement).add(node).add(SqlTimes.micros(seenFor));
            Database.update(statement);
          }
          List<String> nodes =
              database.rows(connection, sql.nodes, parameters -> {}, row -> row.getString(1));
          return new Membership(nodes, owners(connection));
        });
  }

  private List<Membership.LaneOwner> owners(Connection connection) throws SQLException {
    return database.rows(
        connection,
        sql.owners,
        parameters -> {},
        row -> new Membership.LaneOwner(row.getInt(1), Optional.ofNullable(row.getString(2))));
  }

  private <R> R one(
      Connection connection, String text, Database.Binding binding, Database.RowReader<R> reader)
      throws SQLException {
    return database.rows(connection, text, binding, reader).get(0);
  }

  /** Returns the node that holds the lease of a lane now. */
  public Optional<String> owner(int lane) {
    return database.call("find the owner of lane " + lane, this::owners).stream()
        .filter(each -> each.lane() == lane)
        .findFirst()
        .flatMap(Membership.LaneOwner::owner);
  }

  @Override
  public void leave(String node) {
    int unused =
        database.update("leave as node " + node, sql.leave, parameters -> parameters.add(node));
  }

  @Override
  public Optional<LaneLease> take(int lane, String node, Duration leaseFor) {
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
          makeDurable(connection, sql.durable);
          LaneOwnership locked = lock(connection, lane);
          if (!locked.isFreeFor(node)) {
            return Optional.empty();
          }
          long epoch = Math.max(locked.epoch(), lastEpochBefore(timeline(connection))) + 1;
          wake(connection, lane, epoch);
          Optional<Stored> stored = lastPosition(connection, lane);
          Start start = start(connection, lane, stored);
          boolean progress = stored.isPresent() && stored.get().epoch == locked.epoch();
          LaneOwnership before = progress ? locked.advanced() : locked;
          LaneOwnership taken = before.takenBy(node, epoch);
          own(connection, lane, taken, leaseFor);
          return Optional.of(
              before.lease(lane, taken, start.position, rescan.or(() -> start.rescan)));
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
    return one(connection, sql.timeline, parameters -> {}, row -> row.getInt(1));
  }

  /**
   * The places of the sequence are given out again, so no position of any lane means anything.
   * Messages whose place belongs to another one get a new place, above all that is stored, and
   * every lane starts over, before the sequence is raised: after a crash in between, the next take
   * finds the sequence behind the positions that were written here, and does it again.
   */
  private void startAllOver(Origin origin) {
    database.transact(
        "start all lanes over",
        connection -> {
          makeDurable(connection, sql.durableOnly);
          lockAll(connection);
          int unused = database.execute(connection, sql.disownAll, parameters -> {});
          lockWriters(connection, "the sequence of places went back, and is raised");
          Places places =
              one(
                  connection,
                  sql.lastPlace,
                  parameters -> {},
                  row -> new Places(row.getLong(1), row.getLong(2)));
          long moved =
              one(
                  connection,
                  sql.move,
                  parameters -> parameters.add(places.last).add(places.drawn),
                  row -> row.getLong(1));
          LogPosition start = LogPosition.start(origin.copiedUpTo(places.last + moved));
          int restarted = database.execute(connection, sql.startAllOver, start::bind);
          LOG.warn(
              "postgres: the sequence of places went back; all that is stored is read again:"
                  + " drawn={} last={} moved={} lanes={}",
              places.drawn,
              places.last,
              moved,
              restarted);
          return restarted;
        });
  }

  /** The place that the sequence gave last, and the highest place that is stored. */
  private record Places(long drawn, long last) {}

  /** Raises the sequence after all appends with lower places have ended. */
  private void raiseSequence() {
    database.transact(
        "raise the sequence of places",
        connection -> {
          lockAll(connection);
          lockWriters(connection, "the sequence of places went back, and is raised");
          try (PreparedStatement statement = database.prepare(connection, sql.raiseSequence)) {
            return statement.execute();
          }
        });
  }

  /** Locks out writers, so that all messages up to the last place can be seen. */
  private void lockWriters(Connection connection, String why) throws SQLException {
    if (locks.lock(connection, sql.lockWriters, WRITERS_PATIENCE)) {
      return;
    }
    List<String> holders = new ArrayList<>();
    for (int table = 0; table < LogSql.TABLES; table++) {
      for (String holder : locks.holders(connection, table, false)) {
        holders.add("outbox_log_%d: %s".formatted(table, holder));
      }
    }
    throw new PostroadException(
        "%s; this needs a moment in which no transaction that has appended is open; end it, or wait until it ends: %s"
            .formatted(why, String.join("; ", holders)));
  }

  /** Waits until each take that is under way has ended, and keeps other nodes from taking lanes. */
  private void lockAll(Connection connection) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.lockAll)) {
      statement.executeQuery().close();
    }
  }

  /** Places were given out that are there already, or were read. */
  private static final class SequenceBehindException extends PostroadException {
    private static final long serialVersionUID = 1L;

    private static final String AGAIN = " all that is still stored of every lane is read again";

    private final transient Origin origin;
    private final transient Optional<String> rescan;

    SequenceBehindException(Server server, long head) {
      super("the sequence of places went back to %d".formatted(server.drawn));
      this.origin = server.origin;
      if (server.drawn < head) {
        this.rescan =
            Optional.of(
                "the sequence of places was at %d, behind place %d that was read; it was raised, and"
                        .formatted(server.drawn, head)
                    + AGAIN);
      } else if (server.givenTwice > 0) {
        this.rescan =
            Optional.of(
                "the sequence of places went back, and place %d was given out twice; it was raised, and"
                        .formatted(server.givenTwice)
                    + AGAIN);
      } else {
        this.rescan = Optional.empty();
      }
    }
  }

  @Override
  public void renew(LaneLease lease, Duration leaseFor) {
    int renewed =
        database.update(
            "renew the lease of lane " + lease.lane(),
            sql.renew,
            parameters -> parameters.add(SqlTimes.micros(leaseFor)).fence(lease).fence(lease));
    if (renewed == 0) {
      throw new LaneLostException(lease, "renew its lease");
    }
  }

  @Override
  public void release(LaneLease lease) {
    int unused =
        database.update(
            "release lane " + lease.lane(), sql.release, parameters -> parameters.fence(lease));
  }

  /** The latest position and the epoch that wrote it. */
  private record Stored(long epoch, LogPosition position) {}

  /** Where a new owner begins, and why that is not where the last one ended. */
  private record Start(LogPosition position, Optional<String> rescan) {}

  private void makeDurable(Connection connection, String durable) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, durable)) {
      statement.execute();
    }
  }

  private LaneOwnership lock(Connection connection, int lane) throws SQLException {
    return database
        .rows(
            connection,
            sql.lock,
            parameters -> parameters.add(lane),
            row ->
                new LaneOwnership(
                    row.getString(1), row.getBoolean(4), row.getLong(2), row.getInt(3), false))
        .stream()
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no lane " + lane));
  }

  private void wake(Connection connection, int lane, long epoch) throws SQLException {
    int unused =
        database.execute(connection, sql.wake, parameters -> parameters.add(lane).add(epoch));
  }

  private Optional<Stored> lastPosition(Connection connection, int lane) throws SQLException {
    return database
        .rows(connection, sql.lastPosition, parameters -> parameters.add(lane), Lanes::stored)
        .stream()
        .findFirst();
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
    Origin origin = new Origin(row.getLong(9), row.getInt(10), row.getLong(11));
    return new Stored(row.getLong(1), new LogPosition(head, seen, window, floor, origin));
  }

  /**
   * The server as a take sees it.
   *
   * @param next the next transaction that begins to write gets this number
   * @param drawn the place that was drawn last
   * @param newest the highest place in the log
   * @param givenTwice a place that was given out again, or 0
   * @param copied whether the log has messages of transactions that this server does not know
   */
  private record Server(
      Origin origin,
      TxSnapshot now,
      long next,
      long drawn,
      long newest,
      long cache,
      long givenTwice,
      boolean copied) {}

  private Server server(Connection connection, int lane, LogPosition last) throws SQLException {
    long copiedUpTo = last.origin().copiedUpTo();
    return one(
        connection,
        sql.server,
        parameters ->
            parameters
                .add(lane)
                .add(last.head() > copiedUpTo)
                .add(Long.toString(last.seen().next()))
                .add(last.head())
                .add(copiedUpTo)
                .add(copiedUpTo),
        row -> {
          TxSnapshot now = TxSnapshot.parse(row.getString(3));
          return new Server(
              new Origin(row.getLong(1), row.getInt(2), copiedUpTo),
              now,
              now.xmax() + row.getInt(4),
              row.getLong(5),
              row.getLong(6),
              row.getLong(7),
              row.getLong(8),
              row.getBoolean(9));
        });
  }

  private Start start(Connection connection, int lane, Optional<Stored> stored)
      throws SQLException {
    LogPosition last = stored.map(Stored::position).orElse(LogPosition.NOWHERE);
    Server server = server(connection, lane, last);
    requireNoCache(server.cache);
    long known = Math.max(last.head(), last.origin().copiedUpTo());
    if (server.drawn < Math.max(server.newest, known) || server.givenTwice > 0) {
      throw new SequenceBehindException(server, last.head());
    }
    if (server.copied || last.next() > server.next) {
      return startOfCopy(connection, lane, last);
    }
    if (stored.isEmpty()) {
      return new Start(LogPosition.start(server.origin), Optional.empty());
    }
    if (!last.origin().isSameHistory(server.origin)) {
      return again(
          last, server, "the position was written on another server or timeline", server.origin);
    }
    return new Start(last, Optional.empty());
  }

  /**
   * Messages were copied from another server, as a dump does it. Numbers of their transactions will
   * be given out here, to others: up to the last place that was drawn, messages are known by their
   * places alone.
   */
  private Start startOfCopy(Connection connection, int lane, LogPosition last) throws SQLException {
    String why =
        "the log was copied from another server: it has numbers of transactions that this one has"
            + " not given out";
    lockWriters(connection, why);
    Server server = server(connection, lane, last);
    return again(last, server, why, server.origin.copiedUpTo(server.drawn));
  }

  private static Start again(LogPosition last, Server server, String why, Origin here) {
    long floor = last.floor().sure();
    return new Start(
        LogPosition.settledUpTo(floor, new Seen(server.now, server.now.xmax()), here),
        Optional.of(
            "%s (%s, now %s); the lane is read again after place %d, up to place %d that is a repetition"
                .formatted(why, last.origin(), here, floor, last.head())));
  }

  /** A session that keeps places for later uses them when the reader has passed them. */
  private static void requireNoCache(long cache) {
    if (cache != 1) {
      throw new PostroadException(
          "the sequence of places has CACHE %d, with which messages would be lost; run ALTER SEQUENCE %s CACHE 1, and end the sessions that appended meanwhile"
              .formatted(cache, SchemaGrants.SEQUENCE));
    }
  }

  private void own(Connection connection, int lane, LaneOwnership taken, Duration leaseFor)
      throws SQLException {
    int unused =
        database.execute(
            connection,
            sql.own,
            parameters ->
                parameters
                    .add(taken.node())
                    .add(taken.epoch())
                    .add(taken.crashes())
                    .add(SqlTimes.micros(leaseFor))
                    .add(lane));
  }
}
