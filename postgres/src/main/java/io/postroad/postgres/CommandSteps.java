package io.postroad.postgres;

import io.postroad.store.CommandClaim;
import io.postroad.store.CommandOutcome;
import io.postroad.store.CommandStore.Opening;
import io.postroad.store.StoredCommand;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * OPEN, FINISH and what else becomes of a command in a transaction of the caller, each one
 * statement on its connection.
 */
final class CommandSteps {
  private final CommandSql sql;

  CommandSteps(CommandSql sql) {
    this.sql = sql;
  }

  Opening open(Connection transaction, CommandClaim claim) {
    return JoinedStatement.run(
        transaction,
        "open",
        "open command " + claim.id(),
        sql.open,
        statement -> {
          new Parameters(statement).add(claim.id()).add(claim.token());
          try (ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
              return Opening.LOST;
            }
            return row.getBoolean(1) ? Opening.LATE : Opening.HELD;
          }
        });
  }

  boolean finish(Connection transaction, CommandClaim claim, CommandOutcome outcome) {
    return JoinedStatement.run(
        transaction,
        "finish",
        "finish command " + claim.id(),
        sql.finish,
        statement -> {
          bind(new Parameters(statement), outcome).add(claim.id()).add(claim.token());
          return statement.executeUpdate() == 1;
        });
  }

  Optional<StoredCommand> cancel(Connection transaction, UUID id, CommandOutcome outcome) {
    return end(transaction, "cancel", "cancel command", sql.cancel, id, outcome);
  }

  Optional<StoredCommand> recall(Connection transaction, UUID id, CommandOutcome outcome) {
    return JoinedStatement.run(
        transaction,
        "recall",
        "recall command " + id,
        sql.recall,
        statement -> {
          bind(new Parameters(statement).add(id), outcome);
          return stored(statement).stream().findFirst();
        });
  }

  Optional<StoredCommand> find(Connection transaction, UUID id) {
    return JoinedStatement.run(
        transaction,
        "find",
        "look up command " + id,
        sql.look,
        statement -> {
          new Parameters(statement).add(id);
          return stored(statement).stream().findFirst();
        });
  }

  Optional<StoredCommand> reply(Connection transaction, UUID id, CommandOutcome outcome) {
    return end(transaction, "reply", "write down the reply to command", sql.reply, id, outcome);
  }

  private static Optional<StoredCommand> end(
      Connection transaction,
      String verb,
      String what,
      String text,
      UUID id,
      CommandOutcome outcome) {
    return JoinedStatement.run(
        transaction,
        verb,
        what + " " + id,
        text,
        statement -> {
          bind(new Parameters(statement), outcome).add(id);
          return stored(statement).stream().findFirst();
        });
  }

  boolean arrived(Connection transaction, UUID id) {
    return JoinedStatement.run(
        transaction,
        "arrived",
        "write down that command %s has arrived".formatted(id),
        sql.arrived,
        statement -> {
          new Parameters(statement).add(id);
          return statement.executeUpdate() == 1;
        });
  }

  List<StoredCommand> expire(
      Connection transaction, CommandOutcome outcome, int limit, Collection<UUID> except) {
    List<String> left = except.stream().map(UUID::toString).toList();
    return JoinedStatement.run(
        transaction,
        "expire",
        "expire commands",
        sql.expire,
        statement -> {
          bind(new Parameters(statement).addTexts(left).add(limit), outcome);
          return stored(statement);
        });
  }

  /** The parameters of {@code ${ended}}. */
  static Parameters bind(Parameters parameters, CommandOutcome outcome) throws SQLException {
    return parameters
        .add(outcome.status().name())
        .add(outcome.code())
        .add(outcome.error().map(Settler::storable).orElse(null))
        .add(outcome.data().orElse(null));
  }

  private static List<StoredCommand> stored(PreparedStatement statement) throws SQLException {
    List<StoredCommand> commands = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        commands.add(CommandColumns.stored(row));
      }
    }
    return commands;
  }
}
