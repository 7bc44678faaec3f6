package io.postroad.postgres;

import io.postroad.store.Claim;
import io.postroad.store.Settlement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** SETTLE and EXTEND: change claimed messages where the claim still holds. */
final class Settler {
  private final Database database;
  private final OutboxSql sql;

  Settler(Database database, OutboxSql sql) {
    this.database = database;
    this.sql = sql;
  }

  Set<UUID> settle(List<Settlement> settlements) {
    Set<UUID> rejected = new HashSet<>();
    List<SettleRow> rows = new ArrayList<>(settlements.size());
    Set<Held> seen = new HashSet<>();
    for (Settlement settlement : settlements) {
      SettleRow row = SettleRow.of(settlement);
      if (seen.add(row.held())) {
        rows.add(row);
      } else {
        rejected.add(row.held().id());
      }
    }
    if (rows.isEmpty()) {
      return rejected;
    }
    // In one order everywhere, so that two batches with common rows do not deadlock.
    rows.sort(Comparator.comparing(row -> row.held().id()));
    Set<Held> accepted = database.call("settle messages", connection -> settle(connection, rows));
    for (SettleRow row : rows) {
      if (!accepted.contains(row.held())) {
        rejected.add(row.held().id());
      }
    }
    return rejected;
  }

  Set<UUID> extend(Collection<Claim> claims, Duration leaseFor) {
    if (claims.isEmpty()) {
      return Set.of();
    }
    List<Held> held =
        claims.stream().map(Held::of).distinct().sorted(Comparator.comparing(Held::id)).toList();
    return database.call("extend leases", connection -> extend(connection, held, leaseFor));
  }

  private Set<Held> settle(Connection connection, List<SettleRow> rows) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.settle)) {
      new BatchColumns<>(statement, rows)
          .texts(row -> row.held().id())
          .longs(row -> row.held().token())
          .texts(SettleRow::status)
          .longs(SettleRow::delayMicros)
          .ints(SettleRow::uncounted)
          .texts(SettleRow::error);
      Set<Held> accepted = new HashSet<>();
      try (ResultSet row = Database.query(statement)) {
        while (row.next()) {
          accepted.add(new Held(row.getObject(1, UUID.class), row.getLong(2)));
        }
      }
      return accepted;
    }
  }

  private Set<UUID> extend(Connection connection, List<Held> held, Duration leaseFor)
      throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.extend)) {
      new BatchColumns<>(statement, held).texts(Held::id).longs(Held::token);
      statement.setLong(3, SqlTimes.micros(leaseFor));
      Set<UUID> holding = new HashSet<>();
      try (ResultSet row = Database.query(statement)) {
        while (row.next()) {
          holding.add(row.getObject(1, UUID.class));
        }
      }
      return holding;
    }
  }

  /** What proves a claim. */
  record Held(UUID id, long token) {
    static Held of(Claim claim) {
      return new Held(claim.id(), claim.token());
    }
  }
}
