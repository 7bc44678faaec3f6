package io.postroad.postgres.internal.command;

import io.postroad.postgres.internal.jdbc.BatchColumns;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.LateWrites;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.postgres.internal.queue.Settler;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandQueue;
import io.postroad.spi.NewCommand;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * RETRY, HAND OVER and RELEASE: gives commands back whose claim still holds, in a commit of their
 * own. Writes the row of a command that was handed off in memory before that.
 */
public final class CommandReturns implements CommandQueue.Handoff<Connection> {
  private final Database database;
  private final CommandSql sql;

  public CommandReturns(Database database, CommandSql sql) {
    this.database = database;
    this.sql = sql;
  }

  public boolean retry(CommandClaim claim, Duration delay, String error) {
    return putOff(sql.retry, claim, delay, error);
  }

  public boolean handOver(CommandClaim claim, Duration pause, String why) {
    return putOff(sql.handOver, claim, pause, why);
  }

  @Override
  public boolean isPossible(Connection transaction) {
    return LateWrites.lastOf(transaction).isPresent();
  }

  @Override
  public Optional<CommandClaim> write(NewCommand command, String owner, Duration leaseFor) {
    CommandQueue.checkTakeable(command);
    boolean isNew =
        database.call(
            "write command " + command.id(),
            connection -> {
              try (PreparedStatement statement = database.prepare(connection, sql.writeHandedOff)) {
                Parameters unused =
                    CommandColumns.bind(new Parameters(statement), command)
                        .add(owner)
                        .add(SqlTimes.micros(leaseFor));
                return Database.update(statement) == 1;
              }
            });
    return isNew
        ? Optional.of(new CommandClaim(command, 1, 1, command.timeout()))
        : Optional.empty();
  }

  private boolean putOff(String how, CommandClaim claim, Duration delay, String error) {
    return database.call(
        "put off command " + claim.id(),
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, how)) {
            new Parameters(statement)
                .add(SqlTimes.micros(delay))
                .add(Settler.storable(error))
                .add(claim.id())
                .add(claim.token());
            return Database.update(statement) == 1;
          }
        });
  }

  /** Goes by the order of ids, so that two batches with common rows do not deadlock. */
  public Set<UUID> release(Collection<CommandClaim> claims) {
    if (claims.isEmpty()) {
      return Set.of();
    }
    List<CommandClaim> batch =
        claims.stream().sorted(Comparator.comparing(CommandClaim::id)).toList();
    return database.call("release commands", connection -> release(connection, batch));
  }

  private Set<UUID> release(Connection connection, List<CommandClaim> batch) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.release)) {
      new BatchColumns<>(statement, batch).texts(CommandClaim::id).longs(CommandClaim::token);
      Set<UUID> released = new HashSet<>();
      try (ResultSet row = Database.query(statement)) {
        while (row.next()) {
          released.add(row.getObject(1, UUID.class));
        }
      }
      return released;
    }
  }
}
