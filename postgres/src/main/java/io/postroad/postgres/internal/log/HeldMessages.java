package io.postroad.postgres.internal.log;

import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.append.Unreadable;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.postgres.internal.queue.Settler;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.Settlement;
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

/** Messages that a lane has passed without delivering them: HOLD, TAKE, SETTLE, per key. */
public final class HeldMessages {
  private static final Logger LOG = LoggerFactory.getLogger(HeldMessages.class);
  private static final int PLACE = MessageColumns.COUNT + 1;
  private static final int ORDER_KEY = MessageColumns.COUNT + 2;
  private static final int ATTEMPT = MessageColumns.COUNT + 3;
  private static final int SENT_BY = MessageColumns.COUNT + 4;
  private static final int TURN = MessageColumns.COUNT + 5;
  private static final int DESTINATION = 7;

  private final Database database;
  private final HeldSql sql;

  public HeldMessages(Database database, HeldSql sql) {
    this.database = database;
    this.sql = sql;
  }

  /** Moves messages out of the lane's way and writes the lane's position, in one transaction. */
  public void hold(LaneLease lease, LogPosition upTo, List<Settlement> settlements) {
    List<Change> changes =
        settlements.stream().map(Change::of).sorted(Comparator.comparing(Change::place)).toList();
    int written =
        database.call(
            "hold back messages of lane " + lease.lane(),
            connection -> hold(connection, lease, upTo, changes));
    if (written == 0) {
      throw new LaneLostException(lease, "hold back messages");
    }
  }

  private int hold(Connection connection, LaneLease lease, LogPosition upTo, List<Change> changes)
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
      LogCursor.bind(parameters.skip(4).fence(lease), upTo);
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
   * Makes rows of the log that are no messages dead letters that nobody waits for, so that the lane
   * can pass them. Doing it again changes nothing.
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

  public Set<OrderKey> keys(LaneLease lease) {
    return database.call(
        "read the held keys of lane " + lease.lane(),
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.keys)) {
            new Parameters(statement).fence(lease);
            try (ResultSet row = Database.query(statement)) {
              return keys(lease, row);
            }
          }
        });
  }

  private static Set<OrderKey> keys(LaneLease lease, ResultSet row) throws SQLException {
    Set<OrderKey> keys = new HashSet<>();
    boolean mine = false;
    while (row.next()) {
      mine = true;
      @Nullable String destination = row.getString(1);
      if (destination != null) {
        keys.add(new OrderKey(destination, row.getString(2)));
      }
    }
    if (!mine) {
      throw new LaneLostException(lease, "read its held keys");
    }
    return keys;
  }

  public boolean isHeld(int lane, OrderKey key) {
    return database.call(
        "look whether a key is held",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.isHeld)) {
            new Parameters(statement).add(lane).add(key.destination()).add(key.name());
            try (ResultSet row = Database.query(statement)) {
              return row.next() && row.getBoolean(1);
            }
          }
        });
  }

  public List<Claim> take(LaneLease lease, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("takeHeld limit must be 1 or more, got " + limit);
    }
    List<Taken> taken =
        database.call(
            "take held messages of lane " + lease.lane(),
            connection -> take(connection, lease, limit));
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
            "postgres: a held message is a dead letter; place={} error={}", row.place, row.error);
      } else {
        claims.add(row.claim);
      }
    }
    if (!unreadable.isEmpty()) {
      Set<OrderKey> unused = settleChanges(lease, unreadable);
    }
    return claims;
  }

  private List<Taken> take(Connection connection, LaneLease lease, int limit) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.take)) {
      new Parameters(statement)
          .fence(lease)
          .add(lease.lane())
          .add(limit)
          .add(lease.lane())
          .add(limit)
          .add(limit)
          .fence(lease)
          .add(lease.node());
      List<Taken> taken = new ArrayList<>();
      boolean mine = false;
      try (ResultSet row = Database.query(statement)) {
        while (row.next()) {
          mine = true;
          if (row.getLong(PLACE) != 0) {
            taken.add(taken(row));
          }
        }
      }
      if (!mine) {
        throw new LaneLostException(lease, "take held messages");
      }
      return taken;
    }
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

  public Set<OrderKey> settle(LaneLease lease, Collection<Settlement> settlements) {
    return settleChanges(lease, settlements.stream().map(Change::of).toList());
  }

  private Set<OrderKey> settleChanges(LaneLease lease, List<Change> changes) {
    return database.call(
        "settle held messages of lane " + lease.lane(),
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
            return freed(statement, lease);
          }
        });
  }

  /** Walks over the results: settings, lock, messages, keys. */
  private static Set<OrderKey> freed(PreparedStatement statement, LaneLease lease)
      throws SQLException {
    statement.execute();
    statement.getMoreResults();
    try (ResultSet locked = statement.getResultSet()) {
      if (!locked.next()) {
        throw new LaneLostException(lease, "settle held messages");
      }
    }
    statement.getMoreResults();
    statement.getMoreResults();
    Set<OrderKey> free = new HashSet<>();
    try (ResultSet row = statement.getResultSet()) {
      while (row.next()) {
        free.add(new OrderKey(row.getString(1), row.getString(2)));
      }
    }
    return free;
  }

  /** A held message that was taken; without a claim when its row cannot be read. */
  private record Taken(
      long turn, OrderKey key, long place, @Nullable Claim claim, @Nullable String error) {}

  /** When a key would be due because of one of its messages; without a delay when opened. */
  private record Due(long place, OrderKey key, @Nullable Long delay) {}

  /**
   * What becomes of a message.
   *
   * @param key its key
   * @param line the name of the key that it waits under from now on: its own when nobody shall wait
   *     for it
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
      boolean alone = settlement instanceof Settlement.Dead dead && !dead.parksKey();
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
