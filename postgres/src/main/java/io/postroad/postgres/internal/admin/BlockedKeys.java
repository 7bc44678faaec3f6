package io.postroad.postgres.internal.admin;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.spi.BlockedKeyStore;
import io.postroad.spi.DeadLetterStore;
import io.postroad.store.BlockedKey;
import io.postroad.store.BlockedSummary;
import io.postroad.store.Decision;
import io.postroad.store.OrderKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The keys that wait behind a dead letter until an operator decides. */
public final class BlockedKeys implements BlockedKeyStore {
  private static final OrderKey BEGINNING = new OrderKey("", "");

  private final Database database;
  private final BlockedKeySql sql;
  private final LogDeadLetters letters;
  private final Decisions decisions;
  private final int lanes;

  public BlockedKeys(
      Database database, PostgresOptions options, LogDeadLetters letters, Decisions decisions) {
    this.database = database;
    this.sql = new BlockedKeySql(options);
    this.letters = letters;
    this.decisions = decisions;
    this.lanes = options.lanes();
  }

  @Override
  public List<BlockedKey> list(Optional<OrderKey> after, int limit) {
    DeadLetterStore.checkLimit(limit);
    OrderKey mark = after.orElse(BEGINNING);
    return database.list(
        "list blocked keys",
        sql.keys,
        parameters -> parameters.add(mark.destination()).add(mark.name()).add(limit),
        BlockedKeys::key);
  }

  private static BlockedKey key(ResultSet row) throws SQLException {
    return new BlockedKey(
        new OrderKey(row.getString(1), row.getString(2)),
        row.getInt(3),
        row.getObject(4, UUID.class),
        MessageColumns.instant(row, 5),
        row.getString(6),
        row.getLong(7));
  }

  @Override
  public BlockedSummary summary() {
    return database
        .list(
            "count blocked keys",
            sql.parked,
            parameters -> {},
            // Without a blocked key the age is NULL, which getLong returns as 0.
            row ->
                new BlockedSummary(
                    row.getLong(1), row.getLong(2), Duration.of(row.getLong(3), ChronoUnit.MICROS)))
        .get(0);
  }

  @Override
  public boolean release(OrderKey key, Decision decision) {
    if (!key.name().startsWith("key/")) {
      return false;
    }
    Set<UUID> released =
        decisions.carryOut(
            new Decisions.Verb("release", decision),
            connection -> {
              List<StoredLetter> first = letters.lockFirst(connection, key.lane(lanes), key);
              if (!first.isEmpty()) {
                letters.replay(connection, first);
              }
              return first;
            });
    return !released.isEmpty();
  }

  @Override
  public Set<UUID> skip(Collection<UUID> ids, Decision decision) {
    DeadLetterStore.checkIds(ids);
    if (ids.isEmpty()) {
      return Set.of();
    }
    List<UUID> wanted = List.copyOf(ids);
    return decisions.carryOut(
        new Decisions.Verb("skip", decision),
        connection -> {
          List<StoredLetter> blocking = letters.lockBlocking(connection, wanted);
          if (!blocking.isEmpty()) {
            letters.skip(connection, blocking);
          }
          return blocking;
        });
  }
}
