package io.postroad.postgres.internal.command;

import io.postroad.message.PostroadException;
import io.postroad.postgres.internal.append.Unreadable;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** CLAIM: claims due commands of some types under a lease. */
public final class CommandClaimer {
  private static final Logger LOG = LoggerFactory.getLogger(CommandClaimer.class);
  private static final int TOKEN = CommandColumns.NEW_COUNT + 1;
  private static final int ATTEMPT = CommandColumns.NEW_COUNT + 2;
  private static final int TIME_LEFT = CommandColumns.NEW_COUNT + 3;
  private static final int POSITION = CommandColumns.NEW_COUNT + 4;
  private static final String UNREADABLE = "UNREADABLE";

  private final Database database;
  private final CommandSql sql;

  public CommandClaimer(Database database, CommandSql sql) {
    this.database = database;
    this.sql = sql;
  }

  public List<CommandClaim> claim(String owner, Set<String> types, int limit, Duration leaseFor) {
    Taken taken =
        database.call(
            "claim commands",
            connection -> {
              try (PreparedStatement statement = database.prepare(connection, sql.claim)) {
                new Parameters(statement)
                    .add(limit)
                    .addTexts(types)
                    .add(limit)
                    .add(limit)
                    .add(owner)
                    .add(SqlTimes.micros(leaseFor));
                return read(statement);
              }
            });
    taken.unreadable().forEach(this::bury);
    return taken.claims().stream()
        .sorted(Comparator.comparingLong(Placed::position))
        .map(Placed::claim)
        .toList();
  }

  /** The rows of one claim. */
  private record Taken(List<Placed> claims, List<Unread> unreadable) {}

  /** An UPDATE returns its rows in any order; the position is the one in which they were due. */
  private record Placed(long position, CommandClaim claim) {}

  /** A row that was edited into something that is no command. */
  private record Unread(UUID id, long token, String error) {}

  private static Taken read(PreparedStatement statement) throws SQLException {
    Taken taken = new Taken(new ArrayList<>(), new ArrayList<>());
    try (ResultSet row = Database.query(statement)) {
      while (row.next()) {
        read(row, taken);
      }
    }
    return taken;
  }

  private static void read(ResultSet row, Taken taken) throws SQLException {
    long token = row.getLong(TOKEN);
    try {
      CommandClaim claim =
          new CommandClaim(
              CommandColumns.command(row),
              token,
              row.getInt(ATTEMPT),
              CommandColumns.span(row, TIME_LEFT));
      taken.claims().add(new Placed(row.getLong(POSITION), claim));
    } catch (IllegalArgumentException wrong) {
      String error = Unreadable.error("command", wrong);
      taken.unreadable().add(new Unread(CommandColumns.id(row), token, error));
    }
  }

  /** Ends an unreadable row, which must not hold up its batch or come back for ever. */
  private void bury(Unread row) {
    LOG.error(
        "postgres: command {} has failed without a reply; submit it again under another key;"
            + " error={}",
        row.id(),
        row.error());
    try {
      int buried = database.call("end an unreadable command", connection -> bury(connection, row));
      LOG.debug("postgres: unreadable commands ended; rows={}", buried);
    } catch (PostroadException failed) {
      LOG.warn(
          "postgres: command {} stays leased and is looked at again; error={}",
          row.id(),
          failed.getMessage());
    }
  }

  private int bury(Connection connection, Unread row) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.bury)) {
      CommandSteps.bind(new Parameters(statement), CommandOutcome.failed(UNREADABLE, row.error()))
          .add(row.id())
          .add(row.token());
      return Database.update(statement);
    }
  }
}
