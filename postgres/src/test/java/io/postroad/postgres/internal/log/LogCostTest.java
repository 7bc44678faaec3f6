package io.postroad.postgres.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.message.Message;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.TestDatabase;
import io.postroad.spi.Claim;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import io.postroad.spi.Settlement;
import io.postroad.store.BlockedKey;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import io.postroad.store.OrderKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the statements touch, as the driver sends them: a few blocks, whatever is stored, whatever
 * the planner believes and whenever it made its plan.
 */
@Timeout(300)
class LogCostTest {
  private static final int ROWS = 200_000;
  private static final Decision DECISION = new Decision("test", "to see what it costs");
  private static final OrderKey HALFWAY = new OrderKey("d", "key/parked-5");
  private static final String TABLES =
      """
      SELECT relname FROM pg_class
      WHERE relkind = 'r' AND relname LIKE 'outbox%'
      """;
  private static final String BLOCKS =
      """
      SELECT sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)
      FROM pg_statio_user_tables
      WHERE relname LIKE 'outbox%'
      """;
  private static final String FILL =
      """
      INSERT INTO outbox_log_%d (lane, outbox_id, category, type, destination, schema_version,
        headers, content_type, payload, created_at)
      SELECT 0, CAST(lpad(to_hex(i), 32, '0') AS uuid), 'event', 'T', 'd', 1, '',
        'application/json', repeat('x', 200), now()
      FROM generate_series(%d, %d) AS i
      """;
  private static final String FILL_HELD =
      """
      INSERT INTO outbox_held (lane, order_key, pos, outbox_id, category, type, message_key,
        destination, schema_version, headers, content_type, payload, created_at, status, attempt)
      SELECT 0, 'key/' || i % 1000, i, gen_random_uuid(), 'event', 'T', CAST(i % 1000 AS text),
        'd', 1, '', 'application/json', '{}', now(), CASE WHEN i % 7 = 3 AND i > 7000 THEN 'FAILED' ELSE 'PENDING' END, 1
      FROM generate_series(1, 50000) AS i;
      INSERT INTO outbox_held_key (lane, destination, order_key, due_at)
      SELECT 0, 'd', 'key/' || i, now() - i * INTERVAL '1 s' FROM generate_series(0, 999) AS i;
      INSERT INTO outbox_scheduled (lane, outbox_id, category, type, destination, schema_version,
        headers, content_type, payload, created_at, not_before)
      SELECT 0, gen_random_uuid(), 'event', 'T', 'd', 1, '', 'application/json', '{}', now(),
        now() - i * INTERVAL '1 s'
      FROM generate_series(1, 50000) AS i
      """;

  /** 10,000 keys whose first message is dead, and as many dead letters that stand aside. */
  private static final String FILL_PARKED =
      """
      INSERT INTO outbox_held (lane, order_key, pos, outbox_id, category, type, message_key,
        destination, schema_version, headers, content_type, payload, created_at, status, attempt,
        settled_at, last_error)
      SELECT 0, 'key/parked-' || i / 10, 1000000 + i, gen_random_uuid(), 'event', 'T',
        'parked-' || i / 10, 'd', 1, '', 'application/json', '{}', now(),
        CASE WHEN i % 10 = 0 THEN 'FAILED' ELSE 'PENDING' END, 1,
        CASE WHEN i % 10 = 0 THEN now() - i * INTERVAL '1 s' END, 'dead'
      FROM generate_series(0, 99999) AS i;
      INSERT INTO outbox_held (lane, order_key, pos, outbox_id, category, type, message_key,
        destination, schema_version, headers, content_type, payload, created_at, status, attempt,
        settled_at, last_error)
      SELECT 0, 'id/' || id, 2000000 + i, id, 'event', 'T', 'aside', 'd', 1, '',
        'application/json', '{}', now(), 'FAILED', 1, now() - i * INTERVAL '1 s', 'dead'
      FROM (SELECT gen_random_uuid() AS id, i FROM generate_series(1, 10000) AS i) AS aside;
      INSERT INTO outbox_held_key (lane, destination, order_key, due_at, parked_at)
      SELECT 0, 'd', order_key, now() - INTERVAL '1 day', settled_at
      FROM outbox_held
      WHERE status = 'FAILED' AND pos >= 1000000
      """;

  /** 100,000 keys that wait for ten destinations, most of them for one. */
  private static final String FILL_ASIDE =
      """
      INSERT INTO outbox_held (lane, order_key, pos, outbox_id, category, type, message_key,
        destination, schema_version, headers, content_type, payload, created_at, status, attempt)
      SELECT 0, 'key/aside-' || i, 3000000 + i, gen_random_uuid(), 'event', 'T', 'aside-' || i,
        'a' || LEAST(i % 100, 9), 1, '', 'application/json', '{}', now(), 'PENDING', 0
      FROM generate_series(1, 100000) AS i;
      INSERT INTO outbox_held_key (lane, destination, order_key, due_at, aside_at)
      SELECT 0, destination, order_key, '9999-01-01 00:00:00+00', now() - pos * INTERVAL '1 s'
      FROM outbox_held
      WHERE order_key LIKE 'key/aside-%'
      """;

  private enum Situation {
    /** The planner knows what is stored. */
    FRESH,
    /** It was told while nothing was stored. */
    OF_EMPTY_TABLES,
    /** The plans were made while nothing was stored. */
    PLANNED_ON_EMPTY_TABLES
  }

  @ParameterizedTest
  @EnumSource
  void noVerbTouchesMoreThanItReturns(Situation situation) throws Exception {
    try (TestDatabase database = TestDatabase.migrated("log_cost");
        HikariDataSource one = onlyConnection(database);
        PostgresOrderedStore store = PostgresOrderedStore.open(one, PostgresOptions.defaults())) {
      forAllTables(database, "ALTER TABLE %s SET (autovacuum_enabled = off)");
      if (situation != Situation.FRESH) {
        forAllTables(database, "VACUUM ANALYZE %s");
      }
      if (situation == Situation.PLANNED_ON_EMPTY_TABLES) {
        for (int i = 0; i < 12; i++) {
          everyVerb(store, one, new SoftAssertions());
        }
      }
      for (int table = 0; table < LogSql.TABLES; table++) {
        int from = ROWS / LogSql.TABLES * table;
        database.execute(FILL.formatted(table, from + 1, from + ROWS / LogSql.TABLES));
        database.value("SELECT brin_summarize_new_values('outbox_log_%d_id_idx')".formatted(table));
      }
      database.execute(FILL_HELD);
      database.execute(FILL_PARKED);
      database.execute(FILL_ASIDE);
      if (situation == Situation.FRESH) {
        forAllTables(database, "VACUUM ANALYZE %s");
      }

      SoftAssertions softly = new SoftAssertions();
      everyVerb(store, one, softly);
      everyVerb(store, one, softly);
      softly.assertAll();
    }
  }

  private static void everyVerb(
      PostgresOrderedStore store, HikariDataSource one, SoftAssertions softly) throws SQLException {
    LaneLease[] taken = new LaneLease[1];
    softly
        .assertThat(
            blocks(
                one,
                () -> taken[0] = store.lanes().take(0, "n", Duration.ofMinutes(1)).orElseThrow()))
        .as("take")
        .isLessThan(200);
    LaneLease lease = taken[0];
    LaneBatch[] read = new LaneBatch[1];
    LanePosition settled =
        LogPosition.settledUpTo(
            drawn(one) / 2, seen(one), ((LogPosition) lease.position()).origin());
    softly
        .assertThat(blocks(one, () -> read[0] = store.log().read(lease, settled, 1000)))
        .as("read")
        .isLessThan(500);
    LanePosition end = read[0].end();
    softly
        .assertThat(blocks(one, () -> store.log().advance(lease, end, List.of())))
        .as("advance")
        .isLessThan(40);
    List<Settlement> failed = new ArrayList<>();
    read[0].entries().stream()
        .limit(10)
        .forEach(
            entry -> failed.add(new Settlement.Retry(entry.claim(), Duration.ofHours(1), "no")));
    softly
        .assertThat(blocks(one, () -> store.log().advance(lease, end, failed)))
        .as("advance with held messages")
        .isLessThan(700);
    List<Claim> claims = new ArrayList<>();
    softly
        .assertThat(blocks(one, () -> claims.addAll(store.blockedMessages().take(lease, 10))))
        .as("takeHeld")
        .isLessThan(700);
    List<Settlement> released = new ArrayList<>();
    claims.forEach(claim -> released.add(new Settlement.Release(claim, Duration.ZERO, "again")));
    softly
        .assertThat(blocks(one, () -> store.blockedMessages().settle(lease, released)))
        .as("settleHeld")
        .isLessThan(900);
    opens(store, lease, one, softly);
    softly
        .assertThat(blocks(one, () -> store.log().admitDue(lease, 10)))
        .as("admitDue")
        .isLessThan(400);
    softly
        .assertThat(
            blocks(one, () -> store.find(UUID.fromString("00000000-0000-0000-0000-00000000ffff"))))
        .as("find")
        .isLessThan(1_000);
    softly.assertThat(blocks(one, store::backlog)).as("backlog").isLessThan(4_000);
    softly
        .assertThat(blocks(one, () -> store.purge(Duration.ofDays(1), 10)))
        .as("purge")
        .isLessThan(600);
    softly
        .assertThat(blocks(one, () -> store.lanes().renew(lease, Duration.ofMinutes(1))))
        .as("renew")
        .isLessThan(30);
    softly
        .assertThat(blocks(one, () -> store.lanes().heartbeat("n", Duration.ofMinutes(1))))
        .as("attend")
        .isLessThan(30);
    everyDecision(store, lease, one, softly);
  }

  private static void opens(
      PostgresOrderedStore store, LaneLease lease, HikariDataSource one, SoftAssertions softly)
      throws SQLException {
    softly
        .assertThat(blocks(one, () -> store.blockedMessages().keys(lease)))
        .as("held keys, 21,000 of them")
        .isLessThan(5_000);
    softly
        .assertThat(blocks(one, () -> store.blockedMessages().destinations(lease)))
        .as("destinations aside")
        .isLessThan(100);
    softly.assertThat(blocks(one, store::blocked)).as("what is set aside").isLessThan(150_000);
    softly
        .assertThat(blocks(one, () -> store.blockedMessages().open(lease, "a9", 10)))
        .as("open")
        .isLessThan(200);
    List<Settlement> aside = new ArrayList<>();
    store
        .blockedMessages()
        .take(lease, 10)
        .forEach(claim -> aside.add(new Settlement.Blocked(claim, "still down")));
    softly
        .assertThat(blocks(one, () -> store.blockedMessages().settle(lease, aside)))
        .as("settleHeld, set aside")
        .isLessThan(900);
  }

  private static void everyDecision(
      PostgresOrderedStore store, LaneLease lease, HikariDataSource one, SoftAssertions softly)
      throws SQLException {
    softly
        .assertThat(blocks(one, () -> store.blockedMessages().decisions(lease)))
        .as("decisions")
        .isLessThan(10);
    softly.assertThat(blocks(one, store.blockedKeys()::summary)).as("parked").isLessThan(30_000);
    List<BlockedKey> keys = new ArrayList<>();
    softly
        .assertThat(
            blocks(one, () -> keys.addAll(store.blockedKeys().list(Optional.of(HALFWAY), 10))))
        .as("parked keys")
        .isLessThan(300);
    DeadLetterStore letters = store.deadLetters();
    DeadLetter.Mark mark =
        new DeadLetter.Mark(store.now().minus(Duration.ofHours(5)), new UUID(0, 0));
    List<DeadLetter> listed = new ArrayList<>();
    softly
        .assertThat(
            blocks(
                one,
                () -> listed.addAll(letters.list(DeadLetterFilter.all(), Optional.of(mark), 10))))
        .as("list of dead letters")
        .isLessThan(300);
    List<UUID> ids = keys.stream().map(BlockedKey::deadLetter).limit(9).toList();
    List<UUID> some = ids.isEmpty() ? List.of(new UUID(0, 1)) : ids;
    softly
        .assertThat(blocks(one, () -> letters.find(some.get(0))))
        .as("find a dead letter")
        .isLessThan(30);
    softly
        .assertThat(blocks(one, () -> store.blockedKeys().skip(thirdOf(some, 0), DECISION)))
        .as("skip")
        .isLessThan(500);
    softly
        .assertThat(blocks(one, () -> letters.replay(thirdOf(some, 0), DECISION)))
        .as("replay")
        .isLessThan(500);
    softly
        .assertThat(blocks(one, () -> letters.discard(thirdOf(some, 1), DECISION)))
        .as("discard")
        .isLessThan(500);
    Message edited =
        Message.event("T")
            .to("d")
            .key(keys.isEmpty() ? "k" : keys.get(8).key().name().substring("key/".length()))
            .json("{}")
            .build();
    softly
        .assertThat(blocks(one, () -> letters.replace(some.get(some.size() - 1), edited, DECISION)))
        .as("replace, which looks for the new id in the log")
        .isLessThan(1_500);
    softly
        .assertThat(
            blocks(
                one,
                () -> {
                  BlockedKey last =
                      keys.isEmpty()
                          ? new BlockedKey(HALFWAY, 0, some.get(0), store.now(), "", 0)
                          : keys.get(keys.size() - 1);
                  store.blockedKeys().release(last.key(), DECISION);
                }))
        .as("release")
        .isLessThan(300);
    softly
        .assertThat(blocks(one, () -> letters.audit(Optional.of(some.get(0).toString()), 10)))
        .as("audit")
        .isLessThan(30);
    softly
        .assertThat(blocks(one, () -> letters.purgeAudit(store.now().minusSeconds(60), 10)))
        .as("purge of the audit")
        .isLessThan(30);
  }

  private static List<UUID> thirdOf(List<UUID> ids, int third) {
    int size = (ids.size() + 2) / 3;
    return ids.subList(
        Math.min(ids.size(), third * size), Math.min(ids.size(), (third + 1) * size));
  }

  /** A held snapshot keeps old row versions, an open writer keeps rows that nobody sees. */
  @Test
  void aChunkCostsTheSameWhileTransactionsAreHeldOpen() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("log_held");
        HikariDataSource one = onlyConnection(database);
        PostgresOrderedStore store = PostgresOrderedStore.open(one, PostgresOptions.defaults());
        Connection snapshot = database.pool().getConnection();
        Connection writer = database.pool().getConnection();
        Statement look = snapshot.createStatement()) {
      forAllTables(database, "ALTER TABLE %s SET (autovacuum_enabled = off)");
      database.execute(FILL.formatted(0, 1, 30_000));
      snapshot.setAutoCommit(false);
      snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      look.execute("SELECT 1");
      writer.setAutoCommit(false);
      List<Message> many = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        many.add(Message.event("T").to("d").json("{}").build());
      }
      store.append(writer, many, Duration.ofDays(1));
      database.execute(FILL.formatted(0, 30_001, 60_000));
      LaneLease lease = store.lanes().take(0, "n", Duration.ofMinutes(1)).orElseThrow();
      LanePosition position = lease.position();
      List<Long> costs = new ArrayList<>();
      LaneBatch[] batch = new LaneBatch[1];
      for (int i = 0; i < 60; i++) {
        LanePosition from = position;
        costs.add(
            blocks(
                one,
                () -> {
                  batch[0] = store.log().read(lease, from, 1000);
                  store.log().advance(lease, batch[0].end(), List.of());
                  store.lanes().renew(lease, Duration.ofMinutes(1));
                }));
        position = batch[0].end();
        assertThat(batch[0].entries()).hasSize(1000);
      }
      List<Long> idle = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        LanePosition from = position;
        idle.add(blocks(one, () -> batch[0] = store.log().read(lease, from, 1000)));
        position = batch[0].end();
      }

      assertUsually(costs.subList(50, 60), costs.get(5) + 60);
      assertUsually(idle, 40);
      writer.rollback();
      snapshot.rollback();
    }
  }

  /** But for one: the server may have to read its catalog again, when statistics came in. */
  private static void assertUsually(List<Long> costs, long below) {
    assertThat(costs.stream().filter(cost -> cost >= below).count())
        .as("of %s, %d and above", costs, below)
        .isLessThanOrEqualTo(1);
  }

  private static long drawn(HikariDataSource one) throws SQLException {
    return Long.parseLong(
        TestDatabase.rows(one, "SELECT COALESCE(pg_sequence_last_value('outbox_log_pos'), 0)")
            .get(0));
  }

  private static LogPosition.Seen seen(HikariDataSource one) throws SQLException {
    TxSnapshot snapshot =
        TxSnapshot.parse(TestDatabase.rows(one, "SELECT pg_current_snapshot()").get(0));
    return new LogPosition.Seen(snapshot, snapshot.xmax() + 5);
  }

  private static long blocks(HikariDataSource one, Runnable verb) throws SQLException {
    long before = touched(one);
    verb.run();
    return touched(one) - before;
  }

  private static long touched(HikariDataSource one) throws SQLException {
    TestDatabase.rows(one, "SELECT pg_stat_force_next_flush()");
    return Long.parseLong(TestDatabase.rows(one, BLOCKS).get(0));
  }

  private static void forAllTables(TestDatabase database, String statement) throws SQLException {
    for (String table : database.rows(TABLES)) {
      database.execute(statement.formatted(table));
    }
  }

  private static HikariDataSource onlyConnection(TestDatabase database) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setMaximumPoolSize(1);
    return new HikariDataSource(config);
  }
}
