package io.postroad.test;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.transaction.NoTransactionException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of a store in memory: other transactions see its messages when it has committed,
 * and never when it is rolled back.
 *
 * <p>Used by one thread at a time. After an append that was refused it can only be rolled back, as
 * in PostgreSQL.
 */
public final class InMemoryTransaction implements AutoCloseable {
  private enum State {
    OPEN,
    FAILED,
    ENDED
  }

  private final Database database;
  private final List<Staged> messages = new ArrayList<>();
  private final Set<UUID> ids = new HashSet<>();
  private final Map<String, Database.KeyUse> keys = new HashMap<>();
  private final Set<UUID> settled = new HashSet<>();
  private final List<Runnable> changes = new ArrayList<>();
  private volatile State state = State.OPEN;

  InMemoryTransaction(Database database) {
    this.database = database;
  }

  /**
   * Makes everything appended visible, at once.
   *
   * @throws PostroadException when an append was refused; the transaction is rolled back then
   */
  public void commit() {
    requireNotEnded("commit");
    if (state == State.FAILED) {
      rollback();
      throw new PostroadException(
          "cannot commit: an append in this transaction was refused, so it was rolled back");
    }
    state = State.ENDED;
    database.commit(this);
  }

  /** Drops everything appended. */
  public void rollback() {
    requireNotEnded("roll back");
    state = State.ENDED;
    database.rollback(this);
  }

  /** Rolls back, unless the transaction has ended. */
  @Override
  public void close() {
    if (state != State.ENDED) {
      rollback();
    }
  }

  boolean hasEnded() {
    return state == State.ENDED;
  }

  private void requireNotEnded(String verb) {
    if (state == State.ENDED) {
      throw new NoTransactionException("cannot " + verb + ": the transaction has ended already");
    }
  }

  void requireOpenIn(Database expected) {
    if (database != expected) {
      throw new NoTransactionException(
          "this transaction belongs to another store; begin one of the store that appends, nothing"
              + " was written");
    }
    requireOpen();
  }

  void requireOpen() {
    if (state == State.ENDED) {
      throw new NoTransactionException(
          "append needs an open transaction and this one has ended; nothing was written");
    }
    if (state == State.FAILED) {
      throw new PostroadException(
          "an append in this transaction was refused before; roll it back, nothing was written");
    }
  }

  /** From now on it can only be rolled back. */
  void fail() {
    state = State.FAILED;
  }

  void settles(UUID id) {
    settled.add(id);
  }

  boolean hasSettled(UUID id) {
    return settled.contains(id);
  }

  /** Changes something with the commit, with the database's lock held. */
  void atCommit(Runnable change) {
    changes.add(change);
  }

  void runChanges() {
    changes.forEach(Runnable::run);
  }

  void stage(Staged message) {
    messages.add(message);
    ids.add(message.message().id());
  }

  boolean hasStaged(UUID id) {
    return ids.contains(id);
  }

  List<Staged> stagedMessages() {
    return messages;
  }

  void stageKey(String key, Database.KeyUse use) {
    keys.put(key, use);
  }

  Database.@Nullable KeyUse stagedKey(String key) {
    return keys.get(key);
  }

  Map<String, Database.KeyUse> stagedKeys() {
    return keys;
  }

  /**
   * A message that waits for the commit.
   *
   * @param place drawn when it was appended, so a transaction that commits late has a low one
   */
  record Staged(Message message, long place, Instant appendedAt) {

    boolean isScheduled() {
      return dueAt().isAfter(appendedAt);
    }

    Instant dueAt() {
      return message.notBefore().filter(time -> time.isAfter(appendedAt)).orElse(appendedAt);
    }
  }
}
