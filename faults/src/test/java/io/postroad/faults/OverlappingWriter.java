package io.postroad.faults;

import io.postroad.message.Message;
import io.postroad.postgres.PostgresOrderedStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Commits events in transactions of every shape. Accounts are shared between writers: a lock on the
 * account's row, held to the end, decides whose event comes first, and its counter is the event's
 * number. Own keys belong to one writer.
 */
final class OverlappingWriter implements Callable<Void> {
  private static final int ACCOUNTS = 2_000;
  private static final int OWN_KEYS = 50;
  private static final int CLOSE = 1_000;
  private static final Duration PAUSE = Duration.ofMillis(2);
  private static final Duration DEDUPLICATE_FOR = Duration.ofDays(1);

  private final int number;
  private final Sql sql;
  private final PostgresOrderedStore store;
  private final Booked booked;
  private final SplittableRandom random;
  private final AtomicInteger left;
  private final int[] ownNumbers = new int[OWN_KEYS];

  OverlappingWriter(
      int number,
      Sql sql,
      PostgresOrderedStore store,
      Booked booked,
      SplittableRandom random,
      AtomicInteger left) {
    this.number = number;
    this.sql = sql;
    this.store = store;
    this.booked = booked;
    this.random = random;
    this.left = left;
  }

  static void setUp(Sql sql) throws SQLException {
    sql.execute(
        "CREATE TABLE account (id int PRIMARY KEY, events int NOT NULL) WITH (fillfactor = 50)");
    sql.execute("INSERT INTO account SELECT n, 0 FROM generate_series(1, " + ACCOUNTS + ") AS n");
  }

  @Override
  public Void call() throws SQLException {
    try (Connection connection = sql.connect()) {
      connection.setAutoCommit(false);
      while (left.get() > 0) {
        stayClose();
        int[] before = ownNumbers.clone();
        List<Message> events = new ArrayList<>();
        write(connection, events);
        linger();
        if (random.nextInt(10) == 0) {
          connection.rollback();
          System.arraycopy(before, 0, ownNumbers, 0, OWN_KEYS);
          booked.rolledBack(events);
        } else {
          connection.commit();
          booked.committed(events);
          left.addAndGet(-events.size());
        }
      }
    }
    return null;
  }

  /**
   * A relay that is far behind never meets a transaction that is still open. Which is when it could
   * miss something.
   */
  private void stayClose() {
    while (booked.waiting() > CLOSE) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private void write(Connection connection, List<Message> events) throws SQLException {
    int shape = random.nextInt(100);
    if (shape < 3) {
      events.addAll(append(connection, ofAccount(connection, anAccount(), 200 + some(800))));
    } else if (shape < 6) {
      events.addAll(append(connection, roundRobin(200 + some(800))));
    } else if (shape < 7) {
      // More sub-transactions than PostgreSQL keeps in its shared memory for one transaction.
      for (int i = 0; i < 80; i++) {
        inSavepoint(connection, roundRobin(1), events);
      }
    } else if (shape < 40) {
      // Has its place as soon as it has begun.
      events.addAll(append(connection, roundRobin(some(3))));
    } else {
      TreeSet<Integer> accounts = new TreeSet<>();
      for (int i = some(3); i > 0; i--) {
        accounts.add(anAccount());
      }
      for (int account : accounts) {
        if (random.nextInt(4) == 0) {
          inSavepoint(connection, account, events);
        } else {
          events.addAll(append(connection, ofAccount(connection, account, some(3))));
        }
      }
    }
  }

  private int some(int atMost) {
    return 1 + random.nextInt(atMost);
  }

  private int anAccount() {
    return some(ACCOUNTS);
  }

  /** Most transactions end at once, some stay open for a while, a few for long. */
  private void linger() {
    int chance = random.nextInt(100);
    long micros = chance < 60 ? 0 : chance < 98 ? some(5_000) : 50_000 + some(450_000);
    LockSupport.parkNanos(Duration.ofNanos(micros * 1_000).toNanos());
  }

  private List<Message> ofAccount(Connection connection, int account, int count)
      throws SQLException {
    try (PreparedStatement counter =
        connection.prepareStatement(
            "UPDATE account SET events = events + ? WHERE id = ? RETURNING events")) {
      counter.setInt(1, count);
      counter.setInt(2, account);
      try (ResultSet row = counter.executeQuery()) {
        row.next();
        int last = row.getInt(1);
        List<Message> events = new ArrayList<>(count);
        for (int n = last - count + 1; n <= last; n++) {
          events.add(booked.event("account-" + account, n));
        }
        return events;
      }
    }
  }

  private List<Message> roundRobin(int count) {
    List<Message> events = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int key = i % OWN_KEYS;
      events.add(booked.event("own-" + number + "-" + key, ++ownNumbers[key]));
    }
    return events;
  }

  private List<Message> append(Connection connection, List<Message> events) {
    store.append(connection, events, DEDUPLICATE_FOR);
    return events;
  }

  /** Events of an account in a sub-transaction, which is taken back half of the time. */
  private void inSavepoint(Connection connection, int account, List<Message> events)
      throws SQLException {
    Savepoint savepoint = connection.setSavepoint();
    List<Message> written = append(connection, ofAccount(connection, account, some(3)));
    if (random.nextBoolean()) {
      connection.rollback(savepoint);
      booked.rolledBack(written);
    } else {
      connection.releaseSavepoint(savepoint);
      events.addAll(written);
    }
  }

  private void inSavepoint(Connection connection, List<Message> own, List<Message> events)
      throws SQLException {
    Savepoint savepoint = connection.setSavepoint();
    events.addAll(append(connection, own));
    connection.releaseSavepoint(savepoint);
  }
}
