package io.postroad.postgres.internal.queue;

import io.postroad.message.PostroadException;
import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.append.Unreadable;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** CLAIM: takes due messages under a lease. */
public final class Claimer {
  private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);
  private static final int TOKEN = MessageColumns.COUNT + 1;
  private static final int ATTEMPT = MessageColumns.COUNT + 2;
  private static final int EXPIRED_OWNER = MessageColumns.COUNT + 3;
  private static final int POSITION = MessageColumns.COUNT + 4;

  private final Database database;
  private final OutboxSql sql;

  public Claimer(Database database, OutboxSql sql) {
    this.database = database;
    this.sql = sql;
  }

  public List<Claim> claim(ClaimRequest request) {
    Taken taken = database.call("claim messages", connection -> claim(connection, request));
    taken.unreadable().forEach(this::bury);
    return taken.claims().stream()
        .sorted(Comparator.comparingLong(Placed::position))
        .map(Placed::claim)
        .toList();
  }

  private Taken claim(Connection connection, ClaimRequest request) throws SQLException {
    String text = request.destination().isPresent() ? sql.claimOfStream : sql.claim;
    try (PreparedStatement statement = database.prepare(connection, text)) {
      new Parameters(statement)
          .stream(request.destination())
              .add(request.limit())
              .add(request.owner())
              .add(SqlTimes.micros(request.leaseFor()));
      Taken taken = new Taken(new ArrayList<>(), new ArrayList<>());
      try (ResultSet row = Database.query(statement)) {
        while (row.next()) {
          read(row, taken);
        }
      }
      return taken;
    }
  }

  /** The rows of one claim. */
  private record Taken(List<Placed> claims, List<UnreadableClaim> unreadable) {}

  /** An UPDATE returns its rows in any order; the position is the one in which they were due. */
  private record Placed(long position, Claim claim) {}

  /** A row that was edited into an invalid message. */
  private record UnreadableClaim(UUID id, long token, String error) {}

  private static void read(ResultSet row, Taken taken) throws SQLException {
    long token = row.getLong(TOKEN);
    try {
      Claim claim =
          new Claim(
              MessageColumns.message(row),
              token,
              row.getInt(ATTEMPT),
              MessageColumns.appendedAt(row),
              Optional.ofNullable(row.getString(EXPIRED_OWNER)));
      taken.claims().add(new Placed(row.getLong(POSITION), claim));
    } catch (IllegalArgumentException wrong) {
      String error = Unreadable.error(wrong);
      taken.unreadable().add(new UnreadableClaim(MessageColumns.id(row), token, error));
    }
  }

  /** Such a row must neither hold up the others of its batch nor come back for ever. */
  private void bury(UnreadableClaim row) {
    LOG.error(
        "postgres: message {} is a dead letter; correct its row and set it PENDING; error={}",
        row.id(),
        row.error());
    try {
      int buried = database.call("settle an unreadable row", connection -> bury(connection, row));
      LOG.debug("postgres: unreadable rows settled; rows={}", buried);
    } catch (PostroadException failed) {
      LOG.warn(
          "postgres: message {} stays leased and is looked at again; error={}",
          row.id(),
          failed.getMessage());
    }
  }

  private int bury(Connection connection, UnreadableClaim row) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.bury)) {
      statement.setString(1, row.error());
      statement.setObject(2, row.id());
      statement.setLong(3, row.token());
      return Database.update(statement);
    }
  }
}
