package io.postroad.postgres.internal.admin;

import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.store.Decision;
import io.postroad.store.OrderKey;
import io.postroad.store.Parked;
import io.postroad.store.ParkedKey;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Keys that wait for a person: LIST, RELEASE, SKIP, and how their owners hear of it. */
public final class ParkedKeys {
  private static final OrderKey BEGINNING = new OrderKey("", "");

  private final Database database;
  private final ParkedKeySql sql;
  private final LogDeadLetters letters;
  private final Decisions decisions;

  public ParkedKeys(
      Database database, ParkedKeySql sql, LogDeadLetters letters, Decisions decisions) {
    this.database = database;
    this.sql = sql;
    this.letters = letters;
    this.decisions = decisions;
  }

  /** How often a person has changed what is held back in this lane. */
  public long decisions(LaneLease lease) {
    return database.call(
        "read the decisions of lane " + lease.lane(),
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.decisions)) {
            new Parameters(statement).fence(lease);
            try (ResultSet row = Database.query(statement)) {
              if (!row.next()) {
                throw new LaneLostException(lease, "read its decisions");
              }
              return row.getLong(1);
            }
          }
        });
  }

  public List<ParkedKey> list(Optional<OrderKey> after, int limit) {
    DeadLetterStore.checkLimit(limit);
    OrderKey mark = after.orElse(BEGINNING);
    return database.call(
        "list parked keys",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.keys)) {
            new Parameters(statement).add(mark.destination()).add(mark.name()).add(limit);
            List<ParkedKey> keys = new ArrayList<>();
            try (ResultSet row = Database.query(statement)) {
              while (row.next()) {
                keys.add(key(row));
              }
            }
            return keys;
          }
        });
  }

  private static ParkedKey key(ResultSet row) throws SQLException {
    return new ParkedKey(
        new OrderKey(row.getString(1), row.getString(2)),
        row.getInt(3),
        row.getObject(4, UUID.class),
        MessageColumns.instant(row, 5),
        row.getString(6),
        row.getLong(7));
  }

  public Parked count() {
    return database.call(
        "count parked keys",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.parked);
              ResultSet row = Database.query(statement)) {
            row.next();
            // Nothing parked: SQL NULL, which getLong gives as 0.
            Duration oldest = Duration.of(row.getLong(3), ChronoUnit.MICROS);
            return new Parked(row.getLong(1), row.getLong(2), oldest);
          }
        });
  }

  /** Lets a key go on with the dead letter that parks it. */
  public boolean release(OrderKey key, int lane, Decision decision) {
    if (!key.name().startsWith("key/")) {
      return false;
    }
    Set<UUID> released =
        decisions.carryOut(
            new Decisions.Verb("release", decision),
            connection -> {
              List<StoredLetter> first = letters.lockFirst(connection, lane, key);
              if (!first.isEmpty()) {
                letters.replay(connection, first);
              }
              return first;
            });
    return !released.isEmpty();
  }

  /** Lets keys go on without the dead letters that park them. */
  public Set<UUID> skip(Collection<UUID> ids, Decision decision) {
    DeadLetterStore.checkIds(ids);
    if (ids.isEmpty()) {
      return Set.of();
    }
    List<UUID> wanted = List.copyOf(ids);
    return decisions.carryOut(
        new Decisions.Verb("skip", decision),
        connection -> {
          List<StoredLetter> parking = letters.lockParking(connection, wanted);
          if (!parking.isEmpty()) {
            letters.skip(connection, parking);
          }
          return parking;
        });
  }
}
