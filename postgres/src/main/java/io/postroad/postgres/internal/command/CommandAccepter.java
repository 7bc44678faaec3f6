package io.postroad.postgres.internal.command;

import io.postroad.message.PostroadException;
import io.postroad.postgres.internal.jdbc.JoinedStatement;
import io.postroad.postgres.internal.jdbc.LateWrites;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandQueue.Acceptance;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.store.CommandStatus;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** ACCEPT: writes a command on the connection of the caller, once for each idempotency key. */
public final class CommandAccepter {
  private static final int RUNS = 3;

  private final CommandSql sql;

  public CommandAccepter(CommandSql sql) {
    this.sql = sql;
  }

  /** Writes a command. Repeats if the command that has the key is purged before it is read. */
  public Acceptance accept(Connection transaction, NewCommand command) {
    return accept(
        transaction,
        command,
        sql.accept,
        parameters -> {},
        row -> new Acceptance(true, CommandColumns.accepted(command, row)));
  }

  public Acceptance acceptTaken(
      Connection transaction, NewCommand command, String owner, Duration leaseFor) {
    JoinedStatement.Binding lease =
        parameters -> parameters.add(owner).add(SqlTimes.micros(leaseFor));
    Optional<LateWrites> last = LateWrites.lastOf(transaction);
    if (last.isPresent()) {
      SqlTimes.requireStorable(command.notBefore(), "command", command.id());
      inserting(command, sql.acceptTakenSurely, lease).later(last.get());
      return taken(command, owner, leaseFor);
    }
    return accept(
        transaction,
        command,
        sql.acceptTaken,
        lease,
        row ->
            new Acceptance(
                true,
                CommandColumns.accepted(command, row),
                Optional.of(CommandColumns.claim(command, row))));
  }

  private Acceptance accept(
      Connection transaction,
      NewCommand command,
      String text,
      JoinedStatement.Binding more,
      JoinedStatement.Reading<Acceptance> reading) {
    SqlTimes.requireStorable(command.notBefore(), "command", command.id());
    for (int run = 1; run <= RUNS; run++) {
      Optional<Acceptance> added = insert(transaction, command, text, more, reading);
      if (added.isPresent()) {
        return added.get();
      }
      Optional<StoredCommand> known = known(transaction, command);
      if (known.isPresent()) {
        return new Acceptance(false, known.get());
      }
    }
    throw new PostroadException(
        "could not accept command %s: its idempotency key is taken by a command that this transaction"
                .formatted(command.id())
            + " cannot see; repeat the whole transaction, on READ COMMITTED");
  }

  /**
   * Returns the command that the commit will write. The database answers only then, so its times
   * are from the clock of this machine; those of the row are from the database.
   */
  private static Acceptance taken(NewCommand command, String owner, Duration leaseFor) {
    Instant now = Instant.now();
    StoredCommand stored =
        new StoredCommand(
            command,
            CommandStatus.PROCESSING,
            1,
            new StoredCommand.Times(
                now, Optional.of(now.plus(leaseFor)), command.timeout().map(now::plus)),
            new StoredCommand.Lease(Optional.of(owner), Optional.of(now)),
            Optional.empty(),
            new StoredCommand.End(Optional.empty(), Optional.empty()));
    return new Acceptance(
        true, stored, Optional.of(new CommandClaim(command, 1, 1, command.timeout())));
  }

  /** Inserts a command; waits for a transaction that has written the same key and not ended. */
  private static Optional<Acceptance> insert(
      Connection transaction,
      NewCommand command,
      String text,
      JoinedStatement.Binding more,
      JoinedStatement.Reading<Acceptance> reading) {
    return inserting(command, text, more)
        .read(transaction, row -> row.next() ? Optional.of(reading.of(row)) : Optional.empty());
  }

  private static JoinedStatement inserting(
      NewCommand command, String text, JoinedStatement.Binding more) {
    return new JoinedStatement(
        "accept",
        "accept command " + command.id(),
        text,
        parameters -> more.to(CommandColumns.bind(parameters, command)));
  }

  private Optional<StoredCommand> known(Connection transaction, NewCommand command) {
    return new JoinedStatement(
            "accept",
            "look up the command that has the key of command " + command.id(),
            sql.known,
            parameters -> parameters.add(command.idempotencyKey()))
        .read(
            transaction,
            row -> row.next() ? Optional.of(CommandColumns.stored(row)) : Optional.empty());
  }
}
