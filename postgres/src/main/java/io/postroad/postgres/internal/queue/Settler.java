package io.postroad.postgres.internal.queue;

import io.postroad.postgres.internal.jdbc.BatchColumns;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.PlanAnew;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import java.nio.charset.StandardCharsets;
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
import org.jspecify.annotations.Nullable;

/**
 * SETTLE and EXTEND: change claimed messages where the claim still holds. Batches go in the order
 * of their ids, so that two with common rows do not deadlock.
 */
public final class Settler {
  private final Database database;
  private final OutboxSql sql;

  public Settler(Database database, OutboxSql sql) {
    this.database = database;
    this.sql = sql;
  }

  public Set<UUID> settle(List<Settlement> settlements) {
    Set<UUID> rejected = new HashSet<>();
    List<Settlement> batch = new ArrayList<>(settlements.size());
    Set<Held> seen = new HashSet<>();
    for (Settlement settlement : settlements) {
      if (seen.add(Held.of(settlement.claim()))) {
        batch.add(settlement);
      } else {
        rejected.add(settlement.claim().id());
      }
    }
    if (batch.isEmpty()) {
      return rejected;
    }
    batch.sort(Comparator.comparing(settlement -> settlement.claim().id()));
    Set<Held> accepted = database.call("settle messages", connection -> settle(connection, batch));
    for (Settlement settlement : batch) {
      if (!accepted.contains(Held.of(settlement.claim()))) {
        rejected.add(settlement.claim().id());
      }
    }
    return rejected;
  }

  public Set<UUID> extend(Collection<Claim> claims, Duration leaseFor) {
    if (claims.isEmpty()) {
      return Set.of();
    }
    List<Held> batch =
        claims.stream().map(Held::of).distinct().sorted(Comparator.comparing(Held::id)).toList();
    return database.call("extend leases", connection -> extend(connection, batch, leaseFor));
  }

  /** On the caller's connection, whose settings and durability stay as they are. */
  public boolean settle(Connection transaction, Settlement settlement) throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(sql.settleOne)) {
      PlanAnew.at(statement);
      bind(statement, List.of(settlement));
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  private static void bind(PreparedStatement statement, List<Settlement> batch)
      throws SQLException {
    new BatchColumns<>(statement, batch)
        .texts(settlement -> settlement.claim().id())
        .longs(settlement -> settlement.claim().token())
        .texts(Settlement::status)
        .longs(SqlTimes::delay)
        .ints(settlement -> settlement.countsAsAttempt() ? 0 : 1)
        .texts(Settler::storableError);
  }

  private Set<Held> settle(Connection connection, List<Settlement> batch) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.settle)) {
      bind(statement, batch);
      Set<Held> accepted = new HashSet<>();
      try (ResultSet row = Database.query(statement)) {
        while (row.next()) {
          accepted.add(new Held(row.getObject(1, UUID.class), row.getLong(2)));
        }
      }
      return accepted;
    }
  }

  /** On the caller's connection: the row stays locked until its transaction ends. */
  public boolean extend(Connection transaction, Claim claim, Duration leaseFor)
      throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(sql.extendOne)) {
      PlanAnew.at(statement);
      bindExtension(statement, List.of(Held.of(claim)), leaseFor);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  private static void bindExtension(
      PreparedStatement statement, List<Held> batch, Duration leaseFor) throws SQLException {
    new BatchColumns<>(statement, batch).texts(Held::id).longs(Held::token);
    statement.setLong(3, SqlTimes.micros(leaseFor));
  }

  private Set<UUID> extend(Connection connection, List<Held> batch, Duration leaseFor)
      throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.extend)) {
      bindExtension(statement, batch, leaseFor);
      Set<UUID> holding = new HashSet<>();
      try (ResultSet row = Database.query(statement)) {
        while (row.next()) {
          holding.add(row.getObject(1, UUID.class));
        }
      }
      return holding;
    }
  }

  private static @Nullable String storableError(Settlement settlement) {
    return settlement.lastError().map(Settler::storable).orElse(null);
  }

  /** Without what PostgreSQL refuses in a text: one odd error must not fail its whole batch. */
  public static String storable(String error) {
    byte[] valid = error.replace('\0', ' ').getBytes(StandardCharsets.UTF_8);
    return new String(valid, StandardCharsets.UTF_8);
  }

  /** The pair of id and token that proves a claim. */
  private record Held(UUID id, long token) {
    static Held of(Claim claim) {
      return new Held(claim.id(), claim.token());
    }
  }
}
