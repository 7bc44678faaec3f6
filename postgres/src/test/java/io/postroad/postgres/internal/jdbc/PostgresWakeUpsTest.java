package io.postroad.postgres.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOptions.WakeUpMode;
import io.postroad.postgres.TestDatabase;
import io.postroad.spi.WakeUps;
import io.postroad.spi.hint.NodeWakeUps;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Hints between nodes over LISTEN/NOTIFY, and what is left when they end. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class PostgresWakeUpsTest {
  private static final String LISTENERS =
      """
      SELECT pid
      FROM pg_locks
      WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """;

  private TestDatabase database;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("wake");
  }

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void aSignalOfOneNodeReachesAnother() throws Exception {
    try (NodeWakeUps here = wakeUps(database.options());
        NodeWakeUps there = wakeUps(database.options())) {
      Semaphore heard = new Semaphore(0);
      there.subscribe(heard::release);

      signalUntilHeard(here, heard);
    }
  }

  @Test
  void aListenerHearsOthersButNotItself() throws Exception {
    Database connections = new Database(database.pool(), database.options().statementTimeout());
    NotifyChannel here = new NotifyChannel(connections, "test.itself");
    NotifyChannel there = new NotifyChannel(connections, "test.itself");
    Semaphore heard = new Semaphore(0);
    try (ChannelListener listener = new ChannelListener(here, heard::release)) {
      listener.start();
      awaitListeners(1);
      there.send();
      assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();

      here.send();

      assertThat(heard.tryAcquire(500, TimeUnit.MILLISECONDS)).as("itself").isFalse();
    }
  }

  @Test
  void nothingIsSentWhileNobodyElseListens() throws Exception {
    Database connections = new Database(database.pool(), database.options().statementTimeout());
    NotifyChannel here = new NotifyChannel(connections, "test.alone");
    NotifyChannel there = new NotifyChannel(connections, "test.alone");
    assertThat(here.send()).as("nobody listens").isFalse();
    Semaphore heard = new Semaphore(0);
    try (ChannelListener itself = new ChannelListener(here, heard::release)) {
      itself.start();
      awaitListeners(1);
      assertThat(here.send()).as("only this node listens").isFalse();
      assertThat(there.send()).as("another node listens").isTrue();
      assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }
    NotifyChannel later = new NotifyChannel(connections, "test.alone");
    assertThat(later.send()).as("nobody listens any more").isFalse();
  }

  private void awaitListeners(int count) throws SQLException {
    while (database.rows(LISTENERS).size() < count) {
      Thread.onSpinWait();
    }
  }

  @Test
  void outboxesOfDifferentPrefixesDoNotHearEachOther() throws Exception {
    try (NodeWakeUps here = wakeUps(database.options());
        NodeWakeUps same = wakeUps(database.options());
        NodeWakeUps other = wakeUps(database.options().withPrefix("other_"));
        NodeWakeUps otherToo = wakeUps(database.options().withPrefix("other_"))) {
      Semaphore heardSame = new Semaphore(0);
      Semaphore heardOther = new Semaphore(0);
      same.subscribe(heardSame::release);
      other.subscribe(heardOther::release);
      signalUntilHeard(otherToo, heardOther);
      heardOther.drainPermits();

      signalUntilHeard(here, heardSame);

      assertThat(heardOther.availablePermits()).isZero();
    }
  }

  @Test
  void aListenerWhoseConnectionDiesConnectsAgainAndCountsTheGapAsAHint() throws Exception {
    try (NodeWakeUps here = wakeUps(database.options());
        NodeWakeUps there = wakeUps(database.options())) {
      Semaphore heard = new Semaphore(0);
      there.subscribe(heard::release);
      signalUntilHeard(here, heard);
      heard.drainPermits();

      List<String> killed =
          database.rows("SELECT pg_terminate_backend(pid) FROM (" + LISTENERS + ")");

      assertThat(killed).containsExactly("t");
      assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).as("the gap is a hint").isTrue();
      heard.drainPermits();
      signalUntilHeard(here, heard);
    }
  }

  @Test
  void closingEndsTheThreadsAndGivesACleanConnectionBack() throws Exception {
    NodeWakeUps here = wakeUps(database.options().withPrefix("closing_"));
    NodeWakeUps there = wakeUps(database.options().withPrefix("closing_"));
    Semaphore heard = new Semaphore(0);
    there.subscribe(heard::release);
    signalUntilHeard(here, heard);

    here.close();
    there.close();
    there.close();

    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.contains("closing_"));
    assertThat(database.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
    assertThat(database.rows(LISTENERS)).isEmpty();
    here.signal();
    assertThatThrownBy(() -> there.subscribe(() -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void theListenerStopsWithTheLastSubscriptionAndStartsWithTheNext() throws Exception {
    try (NodeWakeUps here = wakeUps(database.options());
        NodeWakeUps there = wakeUps(database.options())) {
      Semaphore heard = new Semaphore(0);
      WakeUps.Subscription first = there.subscribe(heard::release);
      WakeUps.Subscription second = there.subscribe(() -> {});
      signalUntilHeard(here, heard);
      first.close();
      assertThat(database.rows(LISTENERS)).as("one subscription is left").isNotEmpty();

      second.close();
      second.close();

      assertThat(database.rows(LISTENERS)).isEmpty();
      there.subscribe(heard::release);
      heard.drainPermits();
      signalUntilHeard(here, heard);
    }
  }

  @Test
  void aSignalNeitherBlocksNorFailsWithoutADatabase() throws Exception {
    TestDatabase gone = TestDatabase.empty("gone");
    try (NodeWakeUps wakeUps = wakeUps(gone, gone.options())) {
      gone.close();
      CountDownLatch heard = new CountDownLatch(2);
      wakeUps.subscribe(heard::countDown);

      wakeUps.signal();
      wakeUps.signal();

      assertThat(heard.getCount()).isZero();
    }
  }

  @Test
  void inLocalModeNothingIsListenedTo() throws Exception {
    PostgresOptions local =
        database.options().withWakeUpMode(WakeUpMode.LOCAL).withPrefix("local_");
    try (NodeWakeUps wakeUps = wakeUps(local)) {
      CountDownLatch heard = new CountDownLatch(1);
      wakeUps.subscribe(heard::countDown);
      wakeUps.signal();

      assertThat(heard.getCount()).isZero();
      assertThat(Thread.getAllStackTraces().keySet())
          .extracting(Thread::getName)
          .noneMatch(name -> name.contains("local_"));
    }
  }

  private NodeWakeUps wakeUps(PostgresOptions options) {
    return wakeUps(database, options);
  }

  private static NodeWakeUps wakeUps(TestDatabase database, PostgresOptions options) {
    return NotifyChannel.wakeUps(
        new Database(database.pool(), options.statementTimeout()), options);
  }

  /** A hint before the other node listens is lost, so it is given until one arrives. */
  private static void signalUntilHeard(WakeUps from, Semaphore heard) throws InterruptedException {
    do {
      from.signal();
    } while (!heard.tryAcquire(200, TimeUnit.MILLISECONDS));
  }
}
