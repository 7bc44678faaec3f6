package io.postroad.postgres;

import io.postroad.store.Claim;
import io.postroad.store.ClaimRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** CLAIM: takes due messages under a lease. */
final class Claimer {
  private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);
  private static final int TOKEN = MessageColumns.COUNT + 1;
  private static final int ATTEMPT = MessageColumns.COUNT + 2;
  private static final int EXPIRED_OWNER = MessageColumns.COUNT + 3;
  private static final int POSITION = MessageColumns.COUNT + 4;

  private final Database database;
  private final OutboxSql sql;

  Claimer(Database database, OutboxSql sql) {
    this.database = database;
    this.sql = sql;
  }

  List<Claim> claim(ClaimRequest request) {
    return database.call("claim messages", connection -> claim(connection, request));
  }

  private List<Claim> claim(Connection connection, ClaimRequest request) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.claim)) {
      statement.setInt(1, request.limit());
      statement.setString(2, request.owner());
      statement.setLong(3, SqlTimes.micros(request.leaseFor()));
      List<Placed> placed = new ArrayList<>();
      try (ResultSet row = Database.query(statement)) {
        while (row.next()) {
          read(row).ifPresent(placed::add);
        }
      }
      placed.sort(Comparator.comparingLong(Placed::position));
      return placed.stream().map(Placed::claim).toList();
    }
  }

  /** An UPDATE returns its rows in any order; the position is the one in which they were due. */
  private record Placed(long position, Claim claim) {}

  private static Optional<Placed> read(ResultSet row) throws SQLException {
    try {
      Claim claim =
          new Claim(
              MessageColumns.message(row),
              row.getLong(TOKEN),
              row.getInt(ATTEMPT),
              MessageColumns.appendedAt(row),
              Optional.ofNullable(row.getString(EXPIRED_OWNER)));
      return Optional.of(new Placed(row.getLong(POSITION), claim));
    } catch (IllegalArgumentException unreadable) {
      // One row that someone has edited must not keep the others of its batch from being sent.
      LOG.error(
          "postgres: message {} cannot be read and stays undelivered, it is tried again when its"
              + " lease ends; correct or delete its row: error={}",
          MessageColumns.id(row),
          unreadable.getMessage());
      return Optional.empty();
    }
  }
}
