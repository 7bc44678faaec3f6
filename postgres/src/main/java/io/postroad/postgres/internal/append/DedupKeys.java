package io.postroad.postgres.internal.append;

import io.postroad.internal.store.Deduplication;
import io.postroad.message.Message;
import io.postroad.postgres.internal.jdbc.BatchColumns;
import io.postroad.postgres.internal.jdbc.PlanAnew;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Takes deduplication keys for messages, in the caller's transaction. */
public final class DedupKeys {
  private final AppendSql sql;

  public DedupKeys(AppendSql sql) {
    this.sql = sql;
  }

  /** Takes the keys of these messages. Waits for other transactions that are taking one of them. */
  Deduplication take(Connection transaction, List<Message> messages, Duration window)
      throws SQLException {
    Map<String, UUID> wanted = Deduplication.wanted(messages);
    if (wanted.isEmpty()) {
      return Deduplication.NONE;
    }
    Set<String> won = insert(transaction, wanted, window);
    Map<String, UUID> holders = new HashMap<>(wanted);
    if (won.size() < wanted.size()) {
      Set<String> lost = new HashSet<>(wanted.keySet());
      lost.removeAll(won);
      readHolders(transaction, sql.keyHolders, lost, holders);
    }
    if (sql.keyHoldersInTable.isPresent()) {
      giveWayToTable(transaction, sql.keyHoldersInTable.get(), won, holders);
    }
    return new Deduplication(won, holders);
  }

  /** Prefers a message that is stored to the keys that are remembered. */
  private void giveWayToTable(
      Connection transaction, String inTable, Set<String> won, Map<String, UUID> holders)
      throws SQLException {
    Map<String, UUID> stored = new HashMap<>();
    readHolders(transaction, inTable, won, stored);
    forget(transaction, stored.keySet());
    won.removeAll(stored.keySet());
    holders.putAll(stored);
  }

  /** Releases keys that {@link #take} won in this transaction. */
  void forget(Connection transaction, Collection<String> won) throws SQLException {
    if (!won.isEmpty()) {
      try (PreparedStatement statement = transaction.prepareStatement(sql.forgetKeys)) {
        new BatchColumns<>(statement, List.copyOf(won)).texts(key -> key);
        statement.executeUpdate();
      }
    }
  }

  private Set<String> insert(Connection transaction, Map<String, UUID> wanted, Duration window)
      throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(sql.takeKeys)) {
      new BatchColumns<>(statement, List.copyOf(wanted.entrySet()))
          .texts(Map.Entry::getKey)
          .texts(Map.Entry::getValue);
      statement.setLong(3, SqlTimes.micros(window));
      Set<String> won = new HashSet<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          won.add(row.getString(1));
        }
      }
      return won;
    }
  }

  private static void readHolders(
      Connection transaction, String question, Set<String> lost, Map<String, UUID> holders)
      throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(question)) {
      PlanAnew.at(statement);
      new BatchColumns<>(statement, List.copyOf(lost)).texts(key -> key);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          holders.put(row.getString(1), row.getObject(2, UUID.class));
        }
      }
    }
  }
}
