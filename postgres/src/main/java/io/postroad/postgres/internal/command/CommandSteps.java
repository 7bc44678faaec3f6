package io.postroad.postgres.internal.command;

import io.postroad.postgres.internal.jdbc.JoinedStatement;
import io.postroad.postgres.internal.jdbc.LateWrites;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.queue.Settler;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandEnds.Opening;
import io.postroad.spi.CommandLostException;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.StoredCommand;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * OPEN, FINISH and the other ends of a command in a transaction of the caller, each one statement
 * on its connection.
 */
public final class CommandSteps {
  private final CommandSql sql;

  public CommandSteps(CommandSql sql) {
    this.sql = sql;
  }

  public Opening open(Connection transaction, CommandClaim claim) {
    return new JoinedStatement(
            "open",
            "open command " + claim.id(),
            sql.open,
            parameters -> parameters.add(claim.id()).add(claim.token()))
        .read(
            transaction,
            row -> {
              if (!row.next()) {
                return Opening.LOST;
              }
              return row.getBoolean(1) ? Opening.LATE : Opening.HELD;
            });
  }

  /** Writes the outcome; inside of {@link LateWrites} a claim that does not hold fails later. */
  public boolean finish(Connection transaction, CommandClaim claim, CommandOutcome outcome) {
    if (claim.isHandedOff()) {
      finishHandedOff(transaction, claim, outcome);
      return true;
    }
    if (LateWrites.of(transaction).isEmpty()) {
      return finishing(sql.finish, claim, outcome).write(transaction) == 1;
    }
    Optional<LateWrites> last = LateWrites.lastOf(transaction);
    if (last.isPresent()) {
      finishing(sql.finishSurely, claim, outcome).later(last.get());
    } else {
      finishing(sql.finish, claim, outcome).later(transaction, rows -> requireHeld(claim, rows));
    }
    return true;
  }

  /** Inserts the row of a command that was handed off; fails where there is one. */
  private void finishHandedOff(Connection transaction, CommandClaim claim, CommandOutcome outcome) {
    JoinedStatement insert =
        new JoinedStatement(
            "finish",
            "finish command " + claim.id(),
            sql.finishHandedOff,
            parameters -> bind(CommandColumns.bindPlain(parameters, claim.command()), outcome));
    Optional<LateWrites> last = LateWrites.lastOf(transaction);
    if (last.isPresent()) {
      insert.later(last.get());
    } else {
      insert.later(transaction, rows -> {});
    }
  }

  private static JoinedStatement finishing(
      String text, CommandClaim claim, CommandOutcome outcome) {
    return new JoinedStatement(
        "finish",
        "finish command " + claim.id(),
        text,
        parameters -> bind(parameters, outcome).add(claim.id()).add(claim.token()));
  }

  private static void requireHeld(CommandClaim claim, int rows) {
    if (rows != 1) {
      throw new CommandLostException(
          "could not finish command %s: another worker has it, or it has ended; roll back"
              .formatted(claim.id()));
    }
  }

  public Optional<StoredCommand> cancel(Connection transaction, UUID id, CommandOutcome outcome) {
    return end(transaction, "cancel", "cancel command", sql.cancel, id, outcome);
  }

  public Optional<StoredCommand> recall(Connection transaction, UUID id, CommandOutcome outcome) {
    return endNow(transaction, "recall", "recall command", sql.recall, id, outcome);
  }

  /** Ends a command that no other transaction is changing. */
  private static Optional<StoredCommand> endNow(
      Connection transaction,
      String verb,
      String what,
      String text,
      UUID id,
      CommandOutcome outcome) {
    return new JoinedStatement(
            verb, what + " " + id, text, parameters -> bind(parameters.add(id), outcome))
        .read(transaction, CommandSteps::first);
  }

  public Optional<StoredCommand> find(Connection transaction, UUID id) {
    return new JoinedStatement(
            "find", "look up command " + id, sql.look, parameters -> parameters.add(id))
        .read(transaction, CommandSteps::first);
  }

  public Optional<StoredCommand> reply(Connection transaction, UUID id, CommandOutcome outcome) {
    return end(transaction, "reply", "write down the reply to command", sql.reply, id, outcome);
  }

  public Optional<StoredCommand> replyNow(Connection transaction, UUID id, CommandOutcome outcome) {
    return endNow(
        transaction, "replyNow", "write down the reply to command", sql.replyNow, id, outcome);
  }

  private static Optional<StoredCommand> end(
      Connection transaction,
      String verb,
      String what,
      String text,
      UUID id,
      CommandOutcome outcome) {
    return new JoinedStatement(
            verb, what + " " + id, text, parameters -> bind(parameters, outcome).add(id))
        .read(transaction, CommandSteps::first);
  }

  public boolean arrived(Connection transaction, UUID id) {
    return new JoinedStatement(
                "arrived",
                "write down that command %s has arrived".formatted(id),
                sql.arrived,
                parameters -> parameters.add(id))
            .write(transaction)
        == 1;
  }

  public List<StoredCommand> expire(
      Connection transaction, CommandOutcome outcome, int limit, Collection<UUID> except) {
    List<String> left = except.stream().map(UUID::toString).toList();
    return new JoinedStatement(
            "expire",
            "expire commands",
            sql.expire,
            parameters -> bind(parameters.addTexts(left).add(limit), outcome))
        .read(transaction, CommandSteps::all);
  }

  /** Binds the parameters of {@code ${ended}}. */
  static Parameters bind(Parameters parameters, CommandOutcome outcome) throws SQLException {
    return parameters
        .add(outcome.status().name())
        .add(outcome.code())
        .add(outcome.error().map(Settler::storable).orElse(null))
        .add(outcome.data().orElse(null));
  }

  private static Optional<StoredCommand> first(ResultSet row) throws SQLException {
    return row.next() ? Optional.of(CommandColumns.stored(row)) : Optional.empty();
  }

  private static List<StoredCommand> all(ResultSet row) throws SQLException {
    List<StoredCommand> commands = new ArrayList<>();
    while (row.next()) {
      commands.add(CommandColumns.stored(row));
    }
    return commands;
  }
}
