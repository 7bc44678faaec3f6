package io.postroad.postgres.internal.log;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.admin.BlockedDestinationSql;
import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.append.Unreadable;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.postgres.internal.queue.Settler;
import io.postroad.spi.BlockedMessageStore;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.Settlement;
import io.postroad.store.BlockedDestination;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The messages of blocked keys: a lane has passed them without delivering them. */
public final class BlockedMessages implements BlockedMessageStore {
  private static final Logger LOG = LoggerFactory.getLogger(BlockedMessages.class);
  private static final int PLACE = MessageColumns.COUNT + 1;
  private static final int ORDER_KEY = MessageColumns.COUNT + 2;
  private static final int ATTEMPT = MessageColumns.COUNT + 3;
  private static final int SENT_BY = MessageColumns.COUNT + 4;
  private static final int TURN = MessageColumns.COUNT + 5;
  private static final int DESTINATION = 7;

  private final Database database;
  private final BlockedMessageSql sql;
  private final BlockedDestinationSql asideSql;
  private final int lanes;

  public BlockedMessages(Database database, PostgresOptions options) {
    this.database = database;
    this.sql = new BlockedMessageSql(options);
    this.asideSql = BlockedDestinationSql.ofLog(options);
    this.lanes = options.lanes();
  }

  /** Moves messages out of the log and writes the position of the lane, in one transaction. */
  void add(LaneLease lease, LogPosition upTo, List<Settlement> settlements) {
    List<Change> changes =
        settlements.stream().map(Change::of).sorted(Comparator.comparing(Change::place)).toList();
    int written =
        database.call(
            "block messages of lane " + lease.lane(),
            connection -> add(connection, lease, upTo, changes));
    if (written == 0) {
      throw new LaneLostException(lease, "block messages");
    }
  }

  private int add(Connection connection, LaneLease lease, LogPosition upTo, List<Change> changes)
      throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.hold)) {
      Parameters parameters = new Parameters(statement).fence(lease).fence(lease);
      parameters
          .columns(changes)
          .longs(Change::place)
          .texts(Change::line)
          .texts(Change::status)
          .ints(change -> 1 - change.uncounted)
          .texts(Change::error);
      bindKeys(parameters.skip(5).fence(lease), changes.stream().map(Change::joins).toList());
      upTo.bind(parameters.skip(4).fence(lease));
      statement.execute();
      for (int result = 0; result < 4; result++) {
        statement.getMoreResults();
      }
      return statement.getUpdateCount();
    }
  }

  private static void bindKeys(Parameters parameters, List<Due> keys) throws SQLException {
    parameters
        .columns(keys)
        .longs(Due::place)
        .texts(due -> due.key.destination())
        .texts(due -> due.key.name())
        .longs(Due::delay);
  }

  /**
   * Makes rows of the log that are no messages dead letters that block no key, so that the lane can
   * pass them. Doing it again changes nothing.
   */
  void bury(LaneLease lease, List<Unreadable> rows) {
    if (rows.isEmpty()) {
      return;
    }
    int buried =
        database.call(
            "settle unreadable rows",
            connection -> {
              try (PreparedStatement statement = database.prepare(connection, sql.bury)) {
                new Parameters(statement)
                    .fence(lease)
                    .columns(rows)
                    .longs(Unreadable::place)
                    .texts(row -> Settler.storable(row.error()));
                try (ResultSet row = Database.query(statement)) {
                  return logBuried(row);
                }
              }
            });
    if (buried == 0) {
      throw new LaneLostException(lease, "settle unreadable rows");
    }
  }

  private static int logBuried(ResultSet row) throws SQLException {
    int rows = 0;
    while (row.next()) {
      rows++;
      LOG.error(
          "postgres: message {} is a dead letter; correct its row in outbox_held and replay it;"
              + " error={}",
          row.getObject(1, UUID.class),
          row.getString(2));
    }
    return rows;
  }

  @Override
  public Set<OrderKey> keys(LaneLease lease) {
    return new HashSet<>(
        database.fenced(
            lease,
            "read the blocked keys",
            sql.keys,
            parameters -> parameters.fence(lease),
            row -> row.getString(1) == null ? null : key(row)));
  }

  private static OrderKey key(ResultSet row) throws SQLException {
    return new OrderKey(row.getString(1), row.getString(2));
  }

  @Override
  public boolean isBlocked(OrderKey key) {
    return database
        .list(
            "find out whether a key is blocked",
            sql.isBlocked,
            parameters -> parameters.add(key.lane(lanes)).add(key.destination()).add(key.name()),
            row -> row.getBoolean(1))
        .contains(true);
  }

  @Override
  public long decisions(LaneLease lease) {
    return database
        .<Long>fenced(
            lease,
            "read the decisions",
            sql.decisions,
            parameters -> parameters.fence(lease),
            row -> row.getLong(1))
        .get(0);
  }

  @Override
  public Set<String> destinations(LaneLease lease) {
    return new HashSet<>(
        database.fenced(
            lease,
            "read the blocked destinations",
            asideSql.destinations,
            parameters -> parameters.fence(lease),
            row -> row.getString(1)));
  }

  @Override
  public Set<OrderKey> open(LaneLease lease, String destination, int limit) {
    BlockedDestination.checkLimit(limit);
    return database.call(
        "open destination %s in lane %d".formatted(destination, lease.lane()),
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, asideSql.open)) {
            new Parameters(statement).fence(lease).fence(lease).add(destination).add(limit);
            requireLocked(statement, lease, "open a destination");
            return returnedKeys(statement);
          }
        });
  }

  /** Runs a statement whose first result, after its settings, is the lock of the lane. */
  private static void requireLocked(PreparedStatement statement, LaneLease lease, String verb)
      throws SQLException {
    try (ResultSet locked = Database.query(statement)) {
      if (!locked.next()) {
        throw new LaneLostException(lease, verb);
      }
    }
  }

  private static Set<OrderKey> returnedKeys(PreparedStatement statement) throws SQLException {
    statement.getMoreResults();
    Set<OrderKey> keys = new HashSet<>();
    try (ResultSet row = statement.getResultSet()) {
      while (row.next()) {
        keys.add(key(row));
      }
    }
    return keys;
  }

  @Override
  public List<Claim> take(LaneLease lease, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("take limit must be 1 or more, got " + limit);
    }
    int lane = lease.lane();
    List<Taken> taken =
        database.fenced(
            lease,
            "take blocked messages",
            sql.take,
            parameters ->
                parameters
                    .fence(lease)
                    .add(lane)
                    .add(limit)
                    .add(lane)
                    .add(limit)
                    .add(limit)
                    .fence(lease)
                    .add(lease.node()),
            row -> row.getLong(PLACE) == 0 ? null : taken(row));
    taken.sort(Comparator.comparingLong(Taken::turn));
    List<Claim> claims = new ArrayList<>(taken.size());
    List<Change> unreadable = new ArrayList<>();
    Set<OrderKey> stopped = new HashSet<>();
    for (Taken row : taken) {
      if (stopped.contains(row.key)) {
        unreadable.add(Change.inPlace(row, MessageStatus.PENDING, 1));
      } else if (row.claim == null) {
        stopped.add(row.key);
        unreadable.add(Change.inPlace(row, MessageStatus.FAILED, 0));
        LOG.error(
            "postgres: a blocked message is a dead letter; place={} error={}",
            row.place,
            row.error);
      } else {
        claims.add(row.claim);
      }
    }
    if (!unreadable.isEmpty()) {
      Set<OrderKey> unused = settleChanges(lease, unreadable);
    }
    return claims;
  }

  private static Taken taken(ResultSet row) throws SQLException {
    long place = row.getLong(PLACE);
    OrderKey key = new OrderKey(row.getString(DESTINATION), row.getString(ORDER_KEY));
    try {
      Claim claim =
          new Claim(
              MessageColumns.message(row),
              place,
              row.getInt(ATTEMPT),
              MessageColumns.appendedAt(row),
              Optional.ofNullable(row.getString(SENT_BY)));
      return new Taken(row.getLong(TURN), key, place, claim, null);
    } catch (IllegalArgumentException wrong) {
      return new Taken(row.getLong(TURN), key, place, null, Unreadable.error(wrong));
    }
  }

  @Override
  public Set<OrderKey> settle(LaneLease lease, Collection<Settlement> settlements) {
    return settleChanges(lease, settlements.stream().map(Change::of).toList());
  }

  private Set<OrderKey> settleChanges(LaneLease lease, List<Change> changes) {
    return database.call(
        "settle blocked messages of lane " + lease.lane(),
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.settle)) {
            Parameters parameters = new Parameters(statement).fence(lease).fence(lease);
            parameters
                .columns(changes)
                .longs(Change::place)
                .texts(change -> change.key.destination())
                .texts(change -> change.key.name())
                .texts(Change::line)
                .texts(Change::status)
                .ints(Change::uncounted)
                .texts(Change::error);
            bindKeys(
                parameters.skip(7).fence(lease),
                changes.stream().flatMap(Change::settles).toList());
            requireLocked(statement, lease, "settle blocked messages");
            statement.getMoreResults();
            return returnedKeys(statement);
          }
        });
  }

  /** A blocked message that was taken; without a claim when its row cannot be read. */
  private record Taken(
      long turn, OrderKey key, long place, @Nullable Claim claim, @Nullable String error) {}

  /** When a key would be due because of one of its messages; without a delay when opened. */
  private record Due(long place, OrderKey key, @Nullable Long delay) {}

  /**
   * The change of a message.
   *
   * @param key its key
   * @param line the name of the key that it waits under from now on: its own when no message may
   *     wait for it
   */
  private record Change(
      OrderKey key,
      long place,
      String line,
      MessageStatus status,
      @Nullable Long delay,
      int uncounted,
      @Nullable String error) {

    static Change of(Settlement settlement) {
      Claim claim = settlement.claim();
      OrderKey key = OrderKey.of(claim.message());
      boolean alone = settlement instanceof Settlement.Dead dead && !dead.blocksKey();
      return new Change(
          key,
          claim.token(),
          alone ? "id/" + claim.id() : key.name(),
          settlement.status(),
          SqlTimes.delay(settlement),
          settlement.countsAsAttempt() ? 0 : 1,
          settlement.lastError().map(Settler::storable).orElse(null));
    }

    static Change inPlace(Taken row, MessageStatus status, int uncounted) {
      return new Change(row.key, row.place, row.key.name(), status, 0L, uncounted, row.error);
    }

    /** The key that it joins. */
    Due joins() {
      return new Due(place, new OrderKey(key.destination(), line), delay);
    }

    /** The key it was taken from, and the one that it waits under now. */
    Stream<Due> settles() {
      return Stream.of(new Due(place, key, delay), joins()).distinct();
    }
  }
}
