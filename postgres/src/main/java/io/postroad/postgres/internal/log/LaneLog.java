package io.postroad.postgres.internal.log;

import io.postroad.message.Message;
import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.append.Unreadable;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.RepeatedTexts;
import io.postroad.postgres.internal.log.LogPosition.Reading;
import io.postroad.postgres.internal.log.LogPosition.Seen;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.LanePosition;
import io.postroad.spi.LogStore;
import io.postroad.spi.Settlement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The log of each lane: reads it without locks, advances its position, admits scheduled messages.
 */
public final class LaneLog implements LogStore {
  private static final int PLACE = MessageColumns.COUNT + 1;
  private static final int SNAPSHOT = MessageColumns.COUNT + 2;
  private static final int UNSEEN = MessageColumns.COUNT + 3;
  private static final int GIVEN_TWICE = MessageColumns.COUNT + 4;
  private static final int WRITTEN = MessageColumns.COUNT + 5;
  private static final int FLUSHED = MessageColumns.COUNT + 6;

  private final Database database;
  private final LogSql sql;
  private final BlockedMessages blocked;
  private final DurableReads durable;
  private final LogTables tables;

  public LaneLog(
      Database database,
      LogSql sql,
      BlockedMessages blocked,
      DurableReads durable,
      LogTables tables) {
    this.database = database;
    this.sql = sql;
    this.blocked = blocked;
    this.durable = durable;
    this.tables = tables;
  }

  @Override
  public LaneBatch read(LaneLease lease, LanePosition position, int limit) {
    LogPosition after = LogPosition.of(position);
    if (limit < 1) {
      throw new IllegalArgumentException("read limit must be 1 or more, got " + limit);
    }
    Found found =
        database.call(
            "read lane " + lease.lane(),
            connection -> readDurable(connection, lease, after, limit));
    if (found.seen == null) {
      throw new LaneLostException(lease, "read");
    }
    if (found.drawn < after.head() || found.givenTwice) {
      // Places are given out again: the next take of the lane sees to it.
      throw new LaneLostException(lease, "read after " + after);
    }
    List<Row> rows = found.rows;
    rows.sort(Comparator.comparingLong(Row::place));
    long[] places = rows.stream().mapToLong(Row::place).toArray();
    Reading reading = after.after(found.seen, places, limit, found.drawn);
    List<LaneEntry> entries = new ArrayList<>(rows.size());
    List<Unreadable> unreadable = new ArrayList<>();
    for (int i = 0; i < places.length; i++) {
      Row row = rows.get(i);
      if (row.message == null) {
        unreadable.add(new Unreadable(row.place, row.error));
      } else {
        Claim claim = new Claim(row.message, row.place, 1, row.appendedAt, Optional.empty());
        entries.add(new LaneEntry(claim, reading.each().get(i)));
      }
    }
    blocked.bury(lease, unreadable);
    return new LaneBatch(entries, reading.end(), reading.full());
  }

  @Override
  public void advance(LaneLease lease, LanePosition position, List<Settlement> settlements) {
    LogPosition upTo = LogPosition.of(position);
    if (!settlements.isEmpty()) {
      blocked.add(lease, upTo, settlements);
      return;
    }
    int written =
        database.update(
            "advance lane " + lease.lane(),
            sql.advance,
            parameters -> upTo.bind(parameters.fence(lease)));
    if (written == 0) {
      throw new LaneLostException(lease, "advance to " + upTo);
    }
  }

  @Override
  public int admitDue(LaneLease lease, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("admitDue limit must be 1 or more, got " + limit);
    }
    int lane = lease.lane();
    return database
        .<Integer>fenced(
            lease,
            "admit scheduled messages",
            sql.admit.get(tables.current()),
            parameters -> parameters.fence(lease).add(lane).fence(lease).add(lane).add(limit),
            row -> row.getInt(1))
        .get(0);
  }

  /** The result of a read; without {@code seen}, the lane is lost. */
  private record Found(
      @Nullable Seen seen,
      long drawn,
      boolean givenTwice,
      String written,
      boolean flushed,
      List<Row> rows) {}

  /** A row of the log; without a message when the row was edited into an invalid one. */
  private record Row(long place, @Nullable Message message, Instant appendedAt, String error) {}

  /** Reads, and waits until the rows cannot be lost any more. */
  private Found readDurable(Connection connection, LaneLease lease, LogPosition after, int limit)
      throws SQLException {
    Found found = read(connection, lease, after, limit);
    if (!found.rows.isEmpty()) {
      durable.await(connection, found.written, found.flushed);
    }
    return found;
  }

  private Found read(Connection connection, LaneLease lease, LogPosition after, int limit)
      throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.read)) {
      bind(statement, lease, after, limit);
      statement.execute();
      long drawn;
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        drawn = row.getLong(1);
      }
      statement.getMoreResults();
      @Nullable Seen seen = null;
      boolean givenTwice = false;
      String written = "";
      boolean flushed = false;
      List<Row> rows = new ArrayList<>();
      RepeatedTexts texts = new RepeatedTexts();
      try (ResultSet row = statement.getResultSet()) {
        while (row.next()) {
          long place = row.getLong(PLACE);
          if (place == 0) {
            TxSnapshot snapshot = TxSnapshot.parse(row.getString(SNAPSHOT));
            seen = new Seen(snapshot, snapshot.xmax() + row.getInt(UNSEEN));
            givenTwice = row.getBoolean(GIVEN_TWICE);
            written = row.getString(WRITTEN);
            flushed = row.getBoolean(FLUSHED);
          } else {
            rows.add(row(row, place, texts));
          }
        }
      }
      return new Found(seen, drawn, givenTwice, written, flushed, rows);
    }
  }

  private static void bind(
      PreparedStatement statement, LaneLease lease, LogPosition after, int limit)
      throws SQLException {
    int lane = lease.lane();
    long lateAfter = after.lateAfter();
    @Nullable String window =
        after.window().map(open -> open.seen().snapshot().toString()).orElse(null);
    new Parameters(statement)
        .addXids(after.lateListed())
        .add(lateAfter)
        .add(after.head())
        .add(lane)
        .add(limit)
        .add(window)
        .add(Long.toString(after.lateFrom()))
        .add(Long.toString(after.seen().next()))
        .add(lateAfter)
        .add(after.head())
        .add(lane)
        .add(window)
        .add(limit)
        .add(after.head())
        .add(Long.toString(after.seen().next()))
        .add(after.head())
        .add(after.origin().copiedUpTo())
        .fence(lease)
        .add(lane)
        .add(lane)
        .add(after.head())
        .add(after.window().isPresent() ? 0 : limit);
  }

  private static Row row(ResultSet row, long place, RepeatedTexts texts) throws SQLException {
    Instant appendedAt = MessageColumns.appendedAtMicros(row);
    try {
      return new Row(place, MessageColumns.message(row, texts), appendedAt, "");
    } catch (IllegalArgumentException wrong) {
      return new Row(place, null, appendedAt, Unreadable.error(wrong));
    }
  }
}
