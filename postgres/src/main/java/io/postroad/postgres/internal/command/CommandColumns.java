package io.postroad.postgres.internal.command;

import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.HeaderBlock;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.store.CommandStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

/** Binds commands to the parameters of an insert, and reads them from the columns of a result. */
final class CommandColumns {
  /** Columns of a {@link NewCommand}, in a table {@code c}; they begin a result row. */
  static final String NEW =
      """
      c.command_id, c.type, c.idempotency_key, c.business_key, c.payload, c.fingerprint,
        c.headers, c.correlation_id, c.destination, c.reply_to, c.not_before,
        CAST(extract(epoch FROM c.deadline - c.created_at) * 1000000 AS bigint), c.late_allowed""";

  /** Number of the columns of {@link #NEW}; the others of a result come after them. */
  static final int NEW_COUNT = 13;

  /** Columns of a {@link StoredCommand}. */
  static final String STORED =
      NEW
          + """
            ,
              c.status, c.attempt, c.created_at, COALESCE(c.lease_until, c.available_at), c.deadline,
              c.lease_owner, c.leased_at, c.last_error, c.finished_at, c.outcome_code,
              c.outcome_error, c.outcome_data""";

  private CommandColumns() {}

  /** Binds the columns of a command that was handed off in memory. */
  static Parameters bindPlain(Parameters parameters, NewCommand command) throws SQLException {
    return parameters
        .add(command.id())
        .add(command.type())
        .add(command.idempotencyKey())
        .add(command.businessKey())
        .add(command.payload())
        .add(command.fingerprint())
        .add(HeaderBlock.encode(command.headers()))
        .add(command.correlationId());
  }

  static Parameters bind(Parameters parameters, NewCommand command) throws SQLException {
    return bindPlain(parameters, command)
        .add(command.destination().orElse(null))
        .add(command.replyTo().orElse(null))
        .add(SqlTimes.notBefore(command.notBefore()))
        .add(command.lateAllowed())
        .add(command.timeout().map(SqlTimes::signedMicros).orElse(null))
        .add(command.destination().isEmpty())
        .add(SqlTimes.notBefore(command.notBefore()));
  }

  /** Reads a command that was just inserted, with the times of the database. */
  static StoredCommand accepted(NewCommand command, ResultSet row) throws SQLException {
    return new StoredCommand(
        command,
        CommandStatus.valueOf(row.getString(4)),
        row.getInt(5),
        new StoredCommand.Times(MessageColumns.instant(row, 1), instant(row, 2), instant(row, 3)),
        new StoredCommand.Lease(text(row, 7), instant(row, 8)),
        Optional.empty(),
        new StoredCommand.End(Optional.empty(), Optional.empty()));
  }

  /** Reads the claim of a row that was just {@link #accepted} as taken; all of its time is left. */
  static CommandClaim claim(NewCommand command, ResultSet row) throws SQLException {
    return new CommandClaim(command, row.getLong(6), row.getInt(5), command.timeout());
  }

  static UUID id(ResultSet row) throws SQLException {
    return row.getObject(1, UUID.class);
  }

  /**
   * Reads a command.
   *
   * @throws IllegalArgumentException when the row was edited into something that is no command
   */
  static NewCommand command(ResultSet row) throws SQLException {
    return new NewCommand(
        id(row),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        new NewCommand.Body(
            row.getString(5), row.getString(6), HeaderBlock.decode(row.getString(7))),
        new NewCommand.Route(row.getObject(8, UUID.class), text(row, 9), text(row, 10)),
        new NewCommand.Times(instant(row, 11), span(row, 12), row.getBoolean(13)));
  }

  static StoredCommand stored(ResultSet row) throws SQLException {
    CommandStatus status = CommandStatus.valueOf(row.getString(14));
    return new StoredCommand(
        command(row),
        status,
        row.getInt(15),
        new StoredCommand.Times(
            MessageColumns.instant(row, 16), instant(row, 17), instant(row, 18)),
        new StoredCommand.Lease(text(row, 19), instant(row, 20)),
        text(row, 21),
        new StoredCommand.End(
            instant(row, 22),
            status.isFinished() ? Optional.of(outcome(row, status)) : Optional.empty()));
  }

  private static CommandOutcome outcome(ResultSet row, CommandStatus status) throws SQLException {
    return new CommandOutcome(status, row.getString(23), text(row, 24), text(row, 25));
  }

  /** Reads a span of microseconds. */
  static Optional<Duration> span(ResultSet row, int column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, Long.class))
        .map(micros -> Duration.of(micros, ChronoUnit.MICROS));
  }

  private static Optional<String> text(ResultSet row, int column) throws SQLException {
    return Optional.ofNullable(row.getString(column));
  }

  private static Optional<Instant> instant(ResultSet row, int column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }
}
