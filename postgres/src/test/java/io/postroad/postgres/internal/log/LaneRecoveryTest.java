package io.postroad.postgres.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.postroad.message.Message;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.TestDatabase;
import io.postroad.schema.SchemaException;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PostgresServer;
import io.postroad.servers.ServerOptions;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.Settlement;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What is left of a lane after crashes, restores and changes of the server. */
@Timeout(240)
class LaneRecoveryTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final PostgresOptions OPTIONS =
      PostgresOptions.defaults()
          .withSchemaMode(SchemaMode.MIGRATE)
          .withWakeUpMode(PostgresOptions.WakeUpMode.LOCAL);

  @Test
  void aKilledServerHasLostTheLeaseAndTheLaneGoesOnFromItsPosition() throws Exception {
    assumeTrue(System.getenv("POSTGRES_URL") == null, "kills its server");
    try (PostgresServer server = PostgresServer.started()) {
      PGSimpleDataSource dataSource = dataSource(server.createDatabase("killed"));
      try (PostgresOrderedStore store = PostgresOrderedStore.open(dataSource, OPTIONS)) {
        append(store, "a");
        LaneLease lease = take(store);
        LaneBatch first = store.log().read(lease, lease.position(), 10);
        store.log().advance(lease, first.end(), List.of());
        // Commits and waits for the disk, and with it for the position before.
        append(store, "b");
        LaneBatch second = store.log().read(lease, first.end(), 10);

        server.kill();
        server.start();

        assertThatThrownBy(() -> store.log().advance(lease, second.end(), List.of()))
            .isInstanceOf(LaneLostException.class);
        assertThatThrownBy(() -> store.log().read(lease, second.end(), 10))
            .isInstanceOf(LaneLostException.class);
        assertThatThrownBy(() -> store.lanes().renew(lease, MINUTE))
            .isInstanceOf(LaneLostException.class);
        LaneLease again = take(store);
        assertThat(again.epoch()).isGreaterThan(lease.epoch());
        assertThat(again.rescan()).isEmpty();
        assertThat(types(store.log().read(again, again.position(), 10))).containsExactly("b");
      }
    }
  }

  /** Its commit can be seen before it is on disk: who sends then sends what may never have been. */
  @Test
  void aMessageIsReadWhenItsTransactionSurvivesACrashAndNotBefore() throws Exception {
    assumeTrue(System.getenv("POSTGRES_URL") == null, "kills its server");
    ServerOptions options =
        ServerOptions.defaults()
            .withSetting("wal_writer_delay", "10s")
            .withSetting("wal_writer_flush_after", "1GB");
    try (PostgresServer server = PostgresServer.started(options)) {
      PGSimpleDataSource dataSource = dataSource(server.createDatabase("flushed"));
      try (PostgresOrderedStore store = PostgresOrderedStore.open(dataSource, OPTIONS)) {
        execute(dataSource, "CREATE TABLE business (type text)");
        LaneLease lease = take(store);
        Message message = Message.event("a").to("d").key("k").json("{}").build();
        try (Connection connection = dataSource.getConnection();
            Statement statement = connection.createStatement()) {
          connection.setAutoCommit(false);
          statement.execute("SET LOCAL synchronous_commit = off");
          statement.execute("INSERT INTO business VALUES ('a')");
          store.append(connection, List.of(message), MINUTE);
          connection.commit();
        }

        List<String> sent = types(store.log().read(lease, lease.position(), 10));
        server.kill();
        server.start();

        assertThat(sent).containsExactly("a");
        assertThat(TestDatabase.rows(dataSource, "SELECT type FROM business")).isEqualTo(sent);
      }
    }
  }

  /** What a relay remembers of another server must not be used after a switch to this one. */
  @Test
  void aServerThatWasRestartedInOrderHasLostTheLeaseToo() throws Exception {
    assumeTrue(System.getenv("POSTGRES_URL") == null, "restarts its server");
    try (PostgresServer server = PostgresServer.started()) {
      PGSimpleDataSource dataSource = dataSource(server.createDatabase("restarted"));
      try (PostgresOrderedStore store = PostgresOrderedStore.open(dataSource, OPTIONS)) {
        append(store, "a");
        LaneLease lease = take(store);
        store.log().advance(lease, store.log().read(lease, lease.position(), 10).end(), List.of());

        server.stop();
        server.start();

        assertThatThrownBy(() -> store.lanes().renew(lease, MINUTE))
            .isInstanceOf(LaneLostException.class);
        LaneLease again = take(store);
        assertThat(store.log().read(again, again.position(), 10).entries()).isEmpty();
      }
    }
  }

  @Test
  void aPositionOfAnotherServerIsReadAgainFromWhereNothingCanBeLate() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("identity");
        PostgresOrderedStore store = database.openOrdered(1)) {
      LaneLease lease = take(store);
      LaneBatch batch = store.log().read(lease, lease.position(), 10);
      for (String type : List.of("a", "b", "c", "d")) {
        append(store, type);
        batch = store.log().read(lease, batch.end(), 10);
        store.log().advance(lease, batch.end(), List.of());
      }
      LogPosition settled = (LogPosition) batch.end();
      database.execute("UPDATE outbox_cursor SET system_id = 42");

      LaneLease again = take(store);

      assertThat(again.rescan())
          .hasValueSatisfying(
              why ->
                  assertThat(why)
                      .contains("systemId=42")
                      .contains("read again after place " + settled.floor().sure())
                      .contains("up to place " + settled.head()));
      assertThat(settled.floor().sure()).isPositive().isLessThan(settled.head());
      List<String> repeated = types(store.log().read(again, again.position(), 10));
      assertThat(repeated).endsWith("d").doesNotContain("a");
      append(store, "e");
      LaneBatch rest = store.log().read(again, again.position(), 10);
      assertThat(types(rest)).endsWith("e");
      store.log().advance(again, rest.end(), List.of());
      assertThat(take(store).rescan()).as("written here now").isEmpty();
    }
  }

  @Test
  void aTimelineThatHasChangedIsAnotherHistory() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("timeline");
        PostgresOrderedStore store = database.openOrdered(1)) {
      append(store, "a");
      LaneLease lease = take(store);
      store.log().advance(lease, store.log().read(lease, lease.position(), 10).end(), List.of());
      assertThat(database.value("SELECT DISTINCT timeline FROM outbox_cursor"))
          .isEqualTo(database.value("SELECT timeline_id FROM pg_control_checkpoint()"));
      database.execute("UPDATE outbox_cursor SET timeline = timeline + 1");

      LaneLease again = take(store);

      assertThat(again.rescan()).isPresent();
      assertThat(types(store.log().read(again, again.position(), 10))).containsExactly("a");
    }
  }

  /** It may not know of the last epochs of the primary, whose owners may come back to it. */
  @Test
  void aPromotedServerGivesOutEpochsThatThePrimaryHasNot() throws Exception {
    assumeTrue(System.getenv("POSTGRES_URL") == null, "promotes its server");
    try (PostgresServer server = PostgresServer.startedStandby()) {
      PGSimpleDataSource dataSource = dataSource(server.jdbcUrl());
      try (Connection connection = dataSource.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("SELECT pg_promote()");
      }
      try (PostgresOrderedStore store = PostgresOrderedStore.open(dataSource, OPTIONS)) {
        long first = take(store).epoch();
        assertThat(first).isEqualTo((1L << 40) + 1);
        assertThat(take(store).epoch()).isEqualTo(first + 1);
      }
    }
  }

  /**
   * A base backup, streaming, and a promotion: the straggler was on its way at the time of each.
   */
  @Test
  void aPromotedStandbyReadsWhatThePrimaryHadNotReadAndRepeatsRatherThanLoses() throws Exception {
    assumeTrue(System.getenv("POSTGRES_URL") == null, "promotes its server");
    try (PostgresServer primary = PostgresServer.started()) {
      String url = primary.createDatabase("streamed");
      LogPosition settled;
      try (PostgresOrderedStore store = PostgresOrderedStore.open(dataSource(url), OPTIONS);
          Connection slow = dataSource(url).getConnection();
          Connection open = dataSource(url).getConnection()) {
        append(store, "early");
        slow.setAutoCommit(false);
        store.append(slow, List.of(message("straggler")), MINUTE);
        open.setAutoCommit(false);
        store.append(open, List.of(message("never")), MINUTE);
        try (PostgresServer standby = primary.startedStandbyOfThis()) {
          append(store, "overtook");
          LaneLease lease = take(store);
          LaneBatch batch = store.log().read(lease, lease.position(), 10);
          assertThat(types(batch)).containsExactly("early", "overtook");
          store.log().advance(lease, batch.end(), List.of());
          settled = (LogPosition) batch.end();
          slow.commit();
          append(store, "unread");
          awaitReplay(primary, standby);
          primary.kill();
          PGSimpleDataSource promoted = dataSource(standby.jdbcUrl(databaseName(url)));
          execute(promoted, "SELECT pg_promote()");

          try (PostgresOrderedStore next = PostgresOrderedStore.open(promoted, OPTIONS)) {
            LaneLease again = next.lanes().take(0, "n", MINUTE).orElseThrow();
            assertThat(again.rescan()).isPresent();
            LaneBatch rest = next.log().read(again, again.position(), 10);
            assertThat(types(rest)).contains("straggler", "unread").doesNotContain("never");
            next.log().advance(again, rest.end(), List.of());
            append(next, "new");
            LaneBatch last = next.log().read(again, rest.end(), 10);
            assertThat(types(last)).containsExactly("new");
            next.log().advance(again, last.end(), List.of());
            assertThat(TestDatabase.rows(promoted, "SELECT DISTINCT status FROM outbox"))
                .containsExactly("DISPATCHED");
            assertThat(((LogPosition) last.end()).head()).isGreaterThan(settled.head());
          }
        }
      }
    }
  }

  /** A standby that follows asynchronously may lack what the primary has on disk. */
  @Test
  void withStandbysAMessageIsReadWhenTheyHaveItAndNotBefore() throws Exception {
    assumeTrue(System.getenv("POSTGRES_URL") == null, "freezes its server");
    PostgresOptions options = OPTIONS.withStandbys(1).withStatementTimeout(Duration.ofSeconds(2));
    try (PostgresServer primary = PostgresServer.started();
        PostgresServer standby = primary.startedStandbyOfThis()) {
      String url = primary.createDatabase("standbys");
      try (PostgresOrderedStore store = PostgresOrderedStore.open(dataSource(url), options)) {
        LaneLease lease = take(store);
        append(store, "a");
        LaneBatch first = store.log().read(lease, lease.position(), 10);
        assertThat(types(first)).containsExactly("a");
        standby.freeze();
        append(store, "b");

        assertThatThrownBy(() -> store.log().read(lease, first.end(), 10))
            .hasMessageContaining("PostgresOptions.standbys is 1")
            .hasMessageContaining("0 had the messages on disk");

        standby.unfreeze();
        awaitReplay(primary, standby);
        assertThat(types(store.log().read(lease, first.end(), 10))).containsExactly("b");
        assertThat(store.examine())
            .anySatisfy(
                finding -> {
                  assertThat(finding.code()).isEqualTo("asynchronous-standby");
                  assertThat(finding.todo()).contains("synchronous_standby_names");
                });
      }
    }
  }

  private static void awaitReplay(PostgresServer primary, PostgresServer standby) throws Exception {
    String written =
        TestDatabase.rows(dataSource(primary.jdbcUrl()), "SELECT pg_current_wal_flush_lsn()")
            .get(0);
    String replayed = "SELECT coalesce(pg_last_wal_replay_lsn() >= CAST(? AS pg_lsn), false)";
    while (!TestDatabase.rows(dataSource(standby.jdbcUrl()), replayed, written)
        .get(0)
        .equals("t")) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("the standby has not replayed " + written);
      }
      Thread.onSpinWait();
    }
  }

  private static String databaseName(String url) {
    return url.replaceFirst("^.*/", "").replaceFirst("\\?.*$", "");
  }

  private static Message message(String type) {
    return Message.event(type).to("d").key("k").json("{}").build();
  }

  @Test
  void aSequenceBehindThePositionIsRaisedAndEverythingIsReadAgain() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("sequence");
        PostgresOrderedStore store = database.openOrdered(1)) {
      append(store, "a", "b", "c");
      LaneLease lease = take(store);
      LaneBatch batch = store.log().read(lease, lease.position(), 10);
      store.log().advance(lease, batch.end(), List.of());
      database.execute("ALTER SEQUENCE outbox_log_pos RESTART");

      LaneLease again = take(store);

      assertThat(again.rescan())
          .hasValueSatisfying(why -> assertThat(why).contains("was at 0, behind place 3"));
      append(store, "d");
      assertThat(types(store.log().read(again, again.position(), 10)))
          .containsExactly("a", "b", "c", "d");
    }
  }

  /** Raising it hides from other lanes, and from whoever comes next, that it was behind. */
  @Test
  void aSequenceThatWentBackStartsEveryLaneOverAlsoIfItsFirstOwnerDies() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("sequence_lanes")) {
      database.setLanes(2);
      List<String> keys = IntStream.range(0, 10).mapToObj(i -> "k" + i).toList();
      try (PostgresOrderedStore store = database.openOrdered(2)) {
        keys.forEach(key -> appendTo(store, key, "before"));
        List<String> read = new ArrayList<>();
        for (int lane = 0; lane < 2; lane++) {
          LaneLease lease = store.lanes().take(lane, "n", MINUTE).orElseThrow();
          LaneBatch batch = store.log().read(lease, lease.position(), 100);
          assertThat(batch.entries()).isNotEmpty();
          read.addAll(types(batch));
          store.log().advance(lease, batch.end(), List.of());
        }
        assertThat(read).hasSize(10);
        database.execute("TRUNCATE outbox_log_0, outbox_log_1, outbox_log_2");
        database.execute("ALTER SEQUENCE outbox_log_pos RESTART");
        keys.subList(0, 9).forEach(key -> appendTo(store, key, key));

        assertThat(store.lanes().take(0, "n", MINUTE)).isPresent();
        List<String> again = new ArrayList<>();
        for (int lane = 0; lane < 2; lane++) {
          LaneLease lease = store.lanes().take(lane, "n", MINUTE).orElseThrow();
          again.addAll(types(store.log().read(lease, lease.position(), 100)));
        }

        assertThat(again).containsExactlyInAnyOrderElementsOf(keys.subList(0, 9));
      }
    }
  }

  @Test
  void anOwnerLosesItsLaneWhenTheSequenceGoesBack() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("sequence_owner");
        PostgresOrderedStore store = database.openOrdered(1)) {
      append(store, "a", "b");
      LaneLease lease = take(store);
      LaneBatch batch = store.log().read(lease, lease.position(), 10);
      database.execute("ALTER SEQUENCE outbox_log_pos RESTART");

      assertThatThrownBy(() -> store.log().read(lease, batch.end(), 10))
          .isInstanceOf(LaneLostException.class);
      LaneLease again = take(store);

      assertThatThrownBy(() -> store.log().advance(lease, batch.end(), List.of()))
          .isInstanceOf(LaneLostException.class);
      assertThat(types(store.log().read(again, again.position(), 10))).containsExactly("a", "b");
    }
  }

  /** As many new messages as are held back: their places are those of the held ones, no higher. */
  @Test
  void newMessagesOfABlockedKeyAreNotTakenForHeldOnesWhenTheSequenceGoesBack() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("sequence_held");
        PostgresOrderedStore store = database.openOrdered(1)) {
      LaneLease lease = holdBack(store, "a", "b", "c");
      LaneBatch caughtUp = store.log().read(lease, lease.position(), 10);
      database.execute("TRUNCATE outbox_log_0, outbox_log_1, outbox_log_2");
      database.execute("ALTER SEQUENCE outbox_log_pos RESTART");
      append(store, "d", "e", "f");

      assertThatThrownBy(() -> store.log().read(lease, caughtUp.end(), 10))
          .isInstanceOf(LaneLostException.class);

      assertHeldInOrder(database, store);
    }
  }

  /** A relay that was not running meanwhile finds the same, also after the sequence was mended. */
  @Test
  void aTakeFindsPlacesThatWereGivenOutTwice() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("sequence_twice");
        PostgresOrderedStore store = database.openOrdered(1)) {
      holdBack(store, "a", "b", "c");
      database.execute("TRUNCATE outbox_log_0, outbox_log_1, outbox_log_2");
      database.execute("ALTER SEQUENCE outbox_log_pos RESTART");
      append(store, "d", "e", "f");
      database.execute("SELECT setval('outbox_log_pos', 50)");

      assertHeldInOrder(database, store);
    }
  }

  /** Logical replication copies rows, and no sequences. */
  @Test
  void aSequenceThatWasNeverCopiedIsRaisedAboveWhatIsHeldBack() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("sequence_replicated");
        PostgresOrderedStore store = database.openOrdered(1)) {
      holdBack(store, "a", "b", "c");
      database.execute("TRUNCATE outbox_log_0, outbox_log_1, outbox_log_2");
      database.execute("ALTER SEQUENCE outbox_log_pos RESTART");
      database.execute("UPDATE outbox_cursor SET system_id = system_id + 1");
      assertThat(take(store).rescan()).isPresent();
      append(store, "d", "e", "f");

      assertHeldInOrder(database, store);
    }
  }

  /** A node that dies between the two leaves positions that the sequence is behind of. */
  @Test
  void aSequenceThatWasNotRaisedAfterAllLanesWereStartedOverIsRaisedByTheNextTake()
      throws Exception {
    try (TestDatabase database = TestDatabase.migrated("sequence_crash");
        PostgresOrderedStore store = database.openOrdered(1)) {
      holdBack(store, "a", "b", "c");
      database.execute("TRUNCATE outbox_log_0, outbox_log_1, outbox_log_2");
      database.execute("ALTER SEQUENCE outbox_log_pos RESTART");
      take(store);
      database.execute("ALTER SEQUENCE outbox_log_pos RESTART");
      take(store);
      append(store, "d", "e", "f");

      assertHeldInOrder(database, store);
    }
  }

  /** Older ones that were not sent yet come first. */
  @Test
  void messagesThatTookPlacesOfOthersComeAfterThoseThatWereNotSentYet() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("sequence_order");
        PostgresOrderedStore store = database.openOrdered(1)) {
      append(store, "a", "b");
      LaneLease lease = take(store);
      store.log().advance(lease, store.log().read(lease, lease.position(), 10).end(), List.of());
      database.execute("TRUNCATE outbox_log_0, outbox_log_1, outbox_log_2");
      append(store, "c", "d");
      database.execute("ALTER SEQUENCE outbox_log_pos RESTART");
      append(store, "e", "f");

      LaneLease again = take(store);

      assertThat(again.rescan()).isPresent();
      assertThat(types(store.log().read(again, again.position(), 10)))
          .containsExactly("c", "d", "e", "f");
    }
  }

  /** The first message of the key waits for its next attempt, and the others for it. */
  private static LaneLease holdBack(PostgresOrderedStore store, String... types) {
    append(store, types);
    LaneLease lease = take(store);
    LaneBatch batch = store.log().read(lease, lease.position(), 10);
    store.log().advance(lease, batch.end(), released(batch));
    return take(store);
  }

  private static List<Settlement> released(LaneBatch batch) {
    return batch.entries().stream()
        .<Settlement>map(entry -> new Settlement.Release(entry.claim(), Duration.ZERO, "not yet"))
        .toList();
  }

  private static void assertHeldInOrder(TestDatabase database, PostgresOrderedStore store)
      throws Exception {
    LaneLease again = take(store);
    LaneBatch batch = store.log().read(again, again.position(), 10);
    assertThat(types(batch)).containsExactly("d", "e", "f");
    store.log().advance(again, batch.end(), released(batch));

    assertThat(database.rows("SELECT type FROM outbox WHERE status = 'PENDING' ORDER BY type"))
        .containsExactly("a", "b", "c", "d", "e", "f");
    assertThat(database.rows("SELECT type FROM outbox WHERE status <> 'PENDING'")).isEmpty();
    assertThat(store.blockedMessages().take(again, 10))
        .extracting(claim -> claim.message().type())
        .containsExactly("a", "b", "c", "d", "e", "f");
  }

  @Test
  void aSequenceThatKeepsPlacesForSessionsIsRefused() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("sequence_cache");
        PostgresOrderedStore store = database.openOrdered(1)) {
      database.execute("ALTER SEQUENCE outbox_log_pos CACHE 10");

      assertThatThrownBy(() -> take(store))
          .hasMessageContaining("CACHE 10")
          .hasMessageContaining("ALTER SEQUENCE outbox_log_pos CACHE 1,");

      database.execute("ALTER SEQUENCE outbox_log_pos CACHE 1");
      assertThat(take(store).rescan()).isEmpty();
    }
  }

  @Test
  void aSequenceBehindWhatIsStoredIsRaised() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("sequence_rows");
        PostgresOrderedStore store = database.openOrdered(1)) {
      append(store, "a", "b");
      database.execute("ALTER SEQUENCE outbox_log_pos RESTART");

      LaneLease lease = take(store);
      append(store, "c");

      assertThat(lease.rescan()).isEmpty();
      assertThat(types(store.log().read(lease, lease.position(), 10)))
          .containsExactly("a", "b", "c");
    }
  }

  @Test
  void anotherNumberOfLanesIsRefusedWithBothNamed() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("lanes")) {
      assertThatThrownBy(() -> database.openOrdered(4))
          .isInstanceOf(SchemaException.class)
          .hasMessage(
              "PostgresOptions.lanes is 4, but the outbox in schema \"public\" was set up with 1"
                  + " lanes; set it to 1, because a key's lane depends on their number");
    }
  }

  @Test
  void theSchemaIsSetUpWithTheLanesOfTheOptions() throws Exception {
    try (TestDatabase database = TestDatabase.empty("lanes_setup");
        PostgresOrderedStore store =
            PostgresOrderedStore.open(database.pool(), OPTIONS.withLanes(5))) {
      assertThat(store.lanes().count()).isEqualTo(5);
      assertThat(store.lanes().heartbeat("n", MINUTE).lanes()).hasSize(5);
    }
  }

  /** Else the next owner would pass over them, and later ones of their key would be first. */
  @Test
  void anOwnerThatMustWaitForItsFenceKeepsNoScheduledMessageFromTheNext() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("admit_fence");
        PostgresOrderedStore store = database.openOrdered(1);
        Connection taking = database.pool().getConnection();
        Statement take = taking.createStatement()) {
      LaneLease lease = take(store);
      Message later =
          Message.event("later").to("d").notBefore(store.now().plus(MINUTE)).json("{}").build();
      store.transactions().run(c -> store.append(c, List.of(later), MINUTE));
      database.execute("UPDATE outbox_scheduled SET not_before = now() - INTERVAL '1 hour'");
      taking.setAutoCommit(false);
      assertThat(take.executeUpdate("UPDATE outbox_awake SET epoch = epoch + 1")).isOne();
      CompletableFuture<Integer> admitting =
          CompletableFuture.supplyAsync(() -> store.log().admitDue(lease, 10));
      database.awaitLockWait();

      assertThat(database.rows("SELECT 1 FROM outbox_scheduled FOR UPDATE SKIP LOCKED")).hasSize(1);

      taking.commit();
      assertThat(admitting.get(60, TimeUnit.SECONDS)).isZero();
      assertThat(database.value("SELECT count(*) FROM outbox_scheduled")).isEqualTo("1");
    }
  }

  /** The rights that the guide for operators names are enough. */
  @Test
  void aRoleThatOwnsNothingServesEveryVerb() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("rights")) {
      String role = "service_" + Long.toHexString(System.nanoTime());
      database.execute("CREATE ROLE " + role + " LOGIN");
      database.execute(
          "GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA public TO "
              + role
              + "; GRANT SELECT, USAGE, UPDATE ON SEQUENCE outbox_log_pos TO "
              + role);
      PGSimpleDataSource asRole = dataSource(database.url());
      asRole.setUser(role);
      try (PostgresOrderedStore store =
          PostgresOrderedStore.open(asRole, database.options().withSchemaMode(SchemaMode.VERIFY))) {
        append(store, "a");
        LaneLease lease = take(store);
        LaneBatch batch = store.log().read(lease, lease.position(), 10);
        store.log().advance(lease, batch.end(), List.of());
        store.log().admitDue(lease, 10);
        store.blockedMessages().take(lease, 10);
        store.backlog();
        assertThat(store.purge(Duration.ZERO, 10).messages()).isEqualTo(1);
      }
    }
  }

  @Test
  void aTakeWaitsForTheDiskWhateverTheSessionSays() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("durable")) {
      database.execute(
          """
          CREATE TABLE witness (verb text, sync text);
          CREATE FUNCTION witness() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            INSERT INTO witness VALUES (TG_TABLE_NAME, current_setting('synchronous_commit'));
            RETURN NULL;
          END $$;
          CREATE TRIGGER w AFTER UPDATE ON outbox_lane EXECUTE FUNCTION witness();
          CREATE TRIGGER w AFTER INSERT ON outbox_cursor EXECUTE FUNCTION witness();
          """);
      PGSimpleDataSource hasty = dataSource(database.url());
      hasty.setOptions("-c synchronous_commit=off");
      try (PostgresOrderedStore store = PostgresOrderedStore.open(hasty, database.options())) {
        take(store);
      }
      try (PostgresOrderedStore store = database.openOrdered(1)) {
        LaneLease lease = take(store);
        store.log().advance(lease, lease.position(), List.of());
      }

      assertThat(database.rows("SELECT * FROM witness"))
          .containsExactly("outbox_lane|on", "outbox_lane|on", "outbox_cursor|off");
    }
  }

  /** Else what a lock has waited for would not be seen behind it. */
  @Test
  void aTransactionOfTheStoreIsReadCommittedWhateverTheSessionSays() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("isolation")) {
      database.execute(
          """
          CREATE TABLE witness (isolation text);
          CREATE FUNCTION witness() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            INSERT INTO witness VALUES (current_setting('transaction_isolation'));
            RETURN NULL;
          END $$;
          CREATE TRIGGER w AFTER UPDATE ON outbox_lane EXECUTE FUNCTION witness();
          """);
      PGSimpleDataSource repeatable = dataSource(database.url());
      repeatable.setOptions("-c default_transaction_isolation=repeatable\\ read");
      try (PostgresOrderedStore store = PostgresOrderedStore.open(repeatable, database.options())) {
        take(store);
      }

      assertThat(database.rows("SELECT * FROM witness")).containsExactly("read committed");
    }
  }

  /** A late owner's write either comes before the take-over or not at all. */
  @Test
  void aTakeOverWaitsForAnAdvanceThatIsOnItsWay() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("fence");
        PostgresOrderedStore store = database.openOrdered(1);
        Connection owner = database.pool().getConnection();
        Statement statement = owner.createStatement()) {
      append(store, "a");
      LaneLease lease = take(store);
      owner.setAutoCommit(false);
      statement.execute("SELECT 1 FROM outbox_awake WHERE lane = 0 FOR SHARE");
      CompletableFuture<LaneLease> taking = CompletableFuture.supplyAsync(() -> take(store));
      database.awaitLockWait();
      LaneBatch batch = store.log().read(lease, lease.position(), 10);
      assertThat(batch.entries()).hasSize(1);
      assertThat(taking).isNotDone();

      owner.commit();

      LaneLease again = taking.get(60, TimeUnit.SECONDS);
      assertThat(again.epoch()).isEqualTo(lease.epoch() + 1);
      assertThatThrownBy(() -> store.log().advance(lease, batch.end(), List.of()))
          .isInstanceOf(LaneLostException.class);
    }
  }

  private static void execute(PGSimpleDataSource dataSource, String sql) throws Exception {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static PGSimpleDataSource dataSource(String url) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(url);
    return dataSource;
  }

  private static void append(PostgresOrderedStore store, String... types) {
    List<Message> messages =
        List.of(types).stream()
            .map(type -> Message.event(type).to("d").key("k").json("{}").build())
            .toList();
    store.transactions().run(c -> store.append(c, messages, MINUTE));
  }

  private static void appendTo(PostgresOrderedStore store, String key, String type) {
    Message message = Message.event(type).to("d").key(key).json("{}").build();
    store.transactions().run(c -> store.append(c, List.of(message), MINUTE));
  }

  private static LaneLease take(PostgresOrderedStore store) {
    return store.lanes().take(0, "n", MINUTE).orElseThrow();
  }

  private static List<String> types(LaneBatch batch) {
    return batch.entries().stream().map(LaneEntry::message).map(Message::type).toList();
  }
}
