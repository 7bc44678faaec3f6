package io.postroad.drain;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.outbox.Outbox;
import io.postroad.postgres.internal.append.StoredIds;
import io.postroad.postgres.internal.jdbc.BatchColumns;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import io.postroad.store.AppendResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Moves the rows of one batch: appends their messages and marks the rows, in one transaction. A
 * crash before the commit leaves all rows unmoved, a crash after it finds all of them moved.
 */
final class DrainBatch implements DrainStep {
  private final DrainTable table;
  private final DrainSql sql;
  private final DrainReader reader;
  private final StoredIds storedIds;
  private final Outbox<Connection> outbox;

  DrainBatch(
      DrainTable table,
      DrainSql sql,
      DrainReader reader,
      StoredIds storedIds,
      Outbox<Connection> outbox) {
    this.table = table;
    this.sql = sql;
    this.reader = reader;
    this.storedIds = storedIds;
    this.outbox = outbox;
  }

  @Override
  public DrainTally run(Connection connection, List<String> ids) throws SQLException {
    lockTable(connection);
    DrainTally tally = new DrainTally();
    List<DrainedMessage> read = reader.read(connection, sql.readForUpdate, ids, tally);
    List<String> done = new ArrayList<>();
    List<DrainedMessage> fresh = new ArrayList<>();
    Set<UUID> stored =
        storedIds.among(connection, read.stream().map(each -> each.message().id()).toList());
    for (DrainedMessage each : read) {
      if (stored.contains(each.message().id())) {
        tally.alreadyThere();
        done.add(each.rowId());
      } else {
        fresh.add(each);
      }
    }
    done.addAll(append(connection, fresh, tally));
    settle(connection, done);
    return tally;
  }

  /** Makes drains of several nodes take turns, so that rows are appended in their order. */
  private void lockTable(Connection connection) throws SQLException {
    try (PreparedStatement lock = DrainStep.prepare(connection, sql.lock)) {
      lock.setString(1, "postroad drain " + table.name());
      lock.executeQuery().close();
    }
  }

  /** Appends all at once, or one by one if one is refused; returns the ids of the moved rows. */
  private List<String> append(Connection connection, List<DrainedMessage> fresh, DrainTally tally)
      throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      appendAll(connection, fresh, tally);
      return fresh.stream().map(DrainedMessage::rowId).toList();
    } catch (IllegalArgumentException | PostroadException refused) {
      requireRefusal(refused);
      connection.rollback(before);
    }
    List<String> done = new ArrayList<>();
    for (DrainedMessage each : fresh) {
      Savepoint beforeThis = connection.setSavepoint();
      try {
        appendAll(connection, List.of(each), tally);
        done.add(each.rowId());
      } catch (IllegalArgumentException | PostroadException refused) {
        requireRefusal(refused);
        connection.rollback(beforeThis);
        tally.left(each.rowId(), DrainReader.reason(refused));
      }
      connection.releaseSavepoint(beforeThis);
    }
    return done;
  }

  private void appendAll(Connection connection, List<DrainedMessage> fresh, DrainTally tally) {
    List<Message> messages = fresh.stream().map(DrainedMessage::message).toList();
    for (AppendResult result : outbox.appendAll(connection, messages)) {
      if (result instanceof AppendResult.Appended) {
        tally.moved(1);
      } else {
        tally.alreadyThere();
      }
    }
  }

  /** Throws the error again unless the message caused it, rather than the database or a right. */
  private static void requireRefusal(RuntimeException refused) {
    if (refused.getCause() instanceof SQLException cause && !SqlErrors.isBadData(cause)) {
      throw refused;
    }
  }

  private void settle(Connection connection, List<String> done) throws SQLException {
    if (done.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = DrainStep.prepare(connection, sql.settle)) {
      new BatchColumns<>(statement, done).texts(id -> id);
      int settled = statement.executeUpdate();
      if (settled != done.size()) {
        throw new PostroadException(
            "could not drain %s: %d rows were to be marked and %d were; is there a trigger, row"
                    .formatted(table.name(), done.size(), settled)
                + " security, or an id that is not unique? Nothing of this batch was changed");
      }
    }
  }
}
