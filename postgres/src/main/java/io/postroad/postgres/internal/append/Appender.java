package io.postroad.postgres.internal.append;

import io.postroad.internal.store.Deduplication;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.store.AppendResult;
import io.postroad.transaction.NoTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** APPEND: stores messages on the caller's connection. Never commits, never rolls back. */
public final class Appender {
  private final DedupKeys keys;
  private final Insertion insertion;
  private final Consumer<Message> check;

  public Appender(DedupKeys keys, Insertion insertion) {
    this(keys, insertion, SqlTimes::requireStorable);
  }

  /**
   * Appends what passes a check.
   *
   * @param check throws where a message cannot be stored, before anything is written
   */
  public Appender(DedupKeys keys, Insertion insertion, Consumer<Message> check) {
    this.keys = keys;
    this.insertion = insertion;
    this.check = check;
  }

  public List<AppendResult> append(
      Connection transaction, List<Message> messages, Duration deduplicateFor) {
    try {
      requireTransaction(transaction, "append");
      messages.forEach(check);
      return store(transaction, messages, deduplicateFor);
    } catch (SQLException failed) {
      throw SqlErrors.failed("append " + messages.size() + " message(s)", failed);
    }
  }

  public static void requireTransaction(Connection connection, String verb) throws SQLException {
    if (connection.isClosed()) {
      throw new NoTransactionException(
          verb
              + " needs an open transaction, but this connection is closed; nothing was written."
              + " Do it before the connection is given back");
    }
    if (connection.getAutoCommit()) {
      throw new NoTransactionException(
          verb
              + " needs a transaction, but this connection is in autocommit; nothing was written."
              + " Call setAutoCommit(false) first, or do it inside Transactions.run(..), so that"
              + " it commits together with your data");
    }
  }

  private List<AppendResult> store(
      Connection transaction, List<Message> messages, Duration deduplicateFor) throws SQLException {
    Deduplication taken = keys.take(transaction, messages, deduplicateFor);
    List<AppendResult> results = taken.results(messages);
    List<Message> fresh = Deduplication.fresh(messages, results);
    Insertion.Written written = insertion.insert(transaction, fresh);
    if (!written.refused().isEmpty()) {
      insertion.forget(transaction, written.ids());
      keys.forget(transaction, taken.won());
      throw idIsTaken(written.refused().get(0));
    }
    return results;
  }

  private static PostroadException idIsTaken(UUID id) {
    return new PostroadException(
        "could not append message "
            + id
            + ": a message with this id is stored already, or comes twice in this call; nothing of"
            + " this call was written and the transaction can go on. Give each message an id of its"
            + " own, or a deduplication key to append it once only");
  }
}
