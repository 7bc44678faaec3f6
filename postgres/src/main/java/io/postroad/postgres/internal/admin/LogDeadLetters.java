package io.postroad.postgres.internal.admin;

import io.postroad.message.Message;
import io.postroad.postgres.internal.append.MessageBinding;
import io.postroad.postgres.internal.jdbc.BatchColumns;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.store.OrderKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Dead letters of the ordered store: blocked messages, and the keys that they block. No lease is
 * needed, but no decision comes between an owner's read of a key and its change of it: the locks
 * are those of the owner.
 */
public final class LogDeadLetters implements DeadLetterTable {
  private final Database database;
  private final Inspector inspector;
  private final DeadLetterSql letters;
  private final LogDeadLetterSql sql;

  public LogDeadLetters(
      Database database, Inspector inspector, DeadLetterSql letters, LogDeadLetterSql sql) {
    this.database = database;
    this.inspector = inspector;
    this.letters = letters;
    this.sql = sql;
  }

  @Override
  public List<StoredLetter> lock(Connection transaction, List<UUID> ids) throws SQLException {
    lockLanes(transaction, lanes(transaction, ids));
    return database.rows(
        transaction, letters.lock, parameters -> parameters.addEach(ids), StoredLetter::read);
  }

  /** Locks those that block a key, or will when the others are removed. */
  List<StoredLetter> lockBlocking(Connection transaction, List<UUID> ids) throws SQLException {
    lockLanes(transaction, lanes(transaction, ids));
    return database.rows(
        transaction,
        letters.lockParking,
        parameters -> parameters.addEach(ids).addEach(ids),
        StoredLetter::read);
  }

  /** Locks the dead letter that blocks this key. */
  List<StoredLetter> lockFirst(Connection transaction, int lane, OrderKey key) throws SQLException {
    lockLanes(transaction, List.of(lane));
    return database.rows(
        transaction,
        letters.lockFirst,
        parameters -> parameters.add(lane).add(key.destination()).add(key.name()),
        StoredLetter::read);
  }

  @Override
  public void replay(Connection transaction, List<StoredLetter> changed) throws SQLException {
    updateByIds(transaction, sql.replay, changed);
    follow(transaction, changed);
  }

  void skip(Connection transaction, List<StoredLetter> changed) throws SQLException {
    updateByIds(transaction, sql.skip, changed);
    follow(transaction, changed);
  }

  @Override
  public void discard(Connection transaction, List<StoredLetter> changed) throws SQLException {
    updateByIds(transaction, sql.discard, changed);
    for (String ofTable : sql.discardInLog) {
      int unused =
          database.execute(
              transaction,
              ofTable,
              parameters ->
                  parameters
                      .columns(changed)
                      .ints(StoredLetter::lane)
                      .longs(StoredLetter::place)
                      .texts(stored -> stored.letter().id()));
    }
    follow(transaction, changed);
  }

  @Override
  public void replace(Connection transaction, StoredLetter stored, Message replacement)
      throws SQLException {
    OrderKey key = OrderKey.of(replacement);
    try (PreparedStatement statement = database.prepare(transaction, sql.replace)) {
      MessageBinding.one(statement, replacement);
      new Parameters(statement)
          .skip(MessageBinding.COUNT)
          .add(key.name())
          .add(stored.letter().id())
          .add(stored.place());
      statement.executeUpdate();
    }
    for (String ofTable : sql.replaceInLog) {
      int unused =
          database.execute(
              transaction,
              ofTable,
              parameters ->
                  parameters
                      .add(replacement.id())
                      .add(stored.lane())
                      .add(stored.place())
                      .add(stored.letter().id()));
    }
    follow(
        transaction,
        Stream.concat(keys(stored), Stream.of(new Key(stored.lane(), key))).distinct().toList(),
        List.of(stored.lane()));
  }

  @Override
  public boolean isStored(Connection transaction, UUID id) throws SQLException {
    return inspector.isStored(transaction, id);
  }

  private record Key(int lane, OrderKey key) {}

  private static Stream<Key> keys(StoredLetter stored) {
    return stored.keys().map(key -> new Key(stored.lane(), key));
  }

  private void follow(Connection transaction, List<StoredLetter> changed) throws SQLException {
    follow(
        transaction,
        changed.stream().flatMap(LogDeadLetters::keys).distinct().toList(),
        changed.stream().map(StoredLetter::lane).distinct().toList());
  }

  /** Moves the keys after their messages, and notifies the owners of the lanes. */
  private void follow(Connection transaction, List<Key> keys, List<Integer> lanes)
      throws SQLException {
    try (PreparedStatement statement = database.prepare(transaction, sql.keys)) {
      new BatchColumns<>(statement, keys)
          .ints(Key::lane)
          .texts(key -> key.key.destination())
          .texts(key -> key.key.name());
      statement.executeQuery().close();
    }
    int unused =
        database.execute(
            transaction,
            sql.countDecision,
            parameters -> parameters.columns(lanes).ints(lane -> lane));
  }

  private List<Integer> lanes(Connection transaction, List<UUID> ids) throws SQLException {
    return database
        .rows(transaction, sql.lanes, parameters -> parameters.addEach(ids), row -> row.getInt(1))
        .stream()
        .distinct()
        .sorted()
        .toList();
  }

  private void lockLanes(Connection transaction, List<Integer> lanes) throws SQLException {
    for (String lock : Arrays.asList(sql.lockLanes, sql.lockOwners)) {
      try (PreparedStatement statement = database.prepare(transaction, lock)) {
        new BatchColumns<>(statement, lanes).ints(lane -> lane);
        statement.executeQuery().close();
      }
    }
  }

  private void updateByIds(Connection transaction, String text, List<StoredLetter> changed)
      throws SQLException {
    int unused =
        database.execute(
            transaction, text, parameters -> parameters.addEach(DeadLetterTable.ids(changed)));
  }
}
