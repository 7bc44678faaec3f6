package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.postroad.message.Message;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PostgresServer;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A dump that was restored elsewhere: numbers of transactions in its rows mean nothing there.
 * Messages may repeat, none is lost, and none comes back later.
 *
 * <p>Both servers come from one template and have the same system identifier, as clones of a
 * machine have it; the server identifier alone tells nothing.
 */
@Timeout(240)
class RestoredDumpTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final PostgresOptions OPTIONS =
      PostgresOptions.defaults()
          .withSchemaMode(SchemaMode.MIGRATE)
          .withWakeUpMode(PostgresOptions.WakeUpMode.LOCAL);

  private static PostgresServer source;
  private static PostgresServer target;

  @BeforeAll
  static void start() throws SQLException {
    assumeTrue(System.getenv("POSTGRES_URL") == null, "needs two servers");
    source = PostgresServer.started();
    target = PostgresServer.started();
  }

  @AfterAll
  static void stop() {
    if (source != null) {
      source.close();
    }
    if (target != null) {
      target.close();
    }
  }

  /** The source has always given out more numbers than the target. */
  @BeforeEach
  void useNumbers() throws SQLException {
    long ahead = nextNumber(target.jdbcUrl()) + 3_000 - nextNumber(source.jdbcUrl());
    useNumbers(source.jdbcUrl(), ahead);
  }

  @Test
  void aStragglerThatWasNotReadBeforeTheDumpIsReadAfterIt() throws Exception {
    Dump dump = dumpWithAStraggler("straggler");
    String url = target.createDatabase("straggler");
    dump.restoreInto(url, OPTIONS);

    try (PostgresOrderedStore store = open(url)) {
      LaneLease lease = take(store);
      LaneBatch batch = store.log().read(lease, lease.position(), 100);

      assertThat(types(batch)).contains("straggler", "unread").doesNotContain("early");
      assertThat(lease.rescan()).isPresent();
    }
  }

  /** A purge may run before the first take, which notes that the rows were copied. */
  @Test
  void aPurgeBeforeTheFirstTakeLeavesAStragglerOfTheDumpAlone() throws Exception {
    Dump dump = dumpWithAStraggler("purged", new String[0]);
    String url = target.createDatabase("purged");
    dump.restoreInto(url, OPTIONS);

    try (PostgresOrderedStore store = open(url)) {
      for (int table = 0; table < 4; table++) {
        assertThat(store.purge(Duration.ZERO, 10).messages()).isZero();
      }
      LaneLease lease = take(store);

      assertThat(types(store.log().read(lease, lease.position(), 100))).contains("straggler");
    }
  }

  @Test
  void whatIsSettledAfterARestoreStaysSettledWhenTransactionNumbersReachThoseOfTheDump()
      throws Exception {
    Dump dump = dumpWithAStraggler("settled");
    String url = target.createDatabase("settled");
    dump.restoreInto(url, OPTIONS);

    try (PostgresOrderedStore store = open(url)) {
      LaneLease lease = take(store);
      LaneBatch batch = store.log().read(lease, lease.position(), 100);
      store.log().advance(lease, batch.end(), List.of());
      assertThat(statuses(url)).containsOnly("DISPATCHED");
      append(store, "native");
      batch = store.log().read(lease, batch.end(), 100);
      assertThat(types(batch)).containsExactly("native");
      store.log().advance(lease, batch.end(), List.of());
      assertThat(store.backlog().pending()).isZero();

      for (int part = 0; part < 20; part++) {
        useNumbers(url, 300);
        batch = store.log().read(lease, batch.end(), 100);
        assertThat(types(batch)).as("part %d", part).isEmpty();
        store.log().advance(lease, batch.end(), List.of());
        assertThat(statuses(url)).containsOnly("DISPATCHED");
      }
      LaneLease again = take(store);
      assertThat(again.rescan()).as("the position was written here").isEmpty();
      assertThat(types(store.log().read(again, again.position(), 100))).isEmpty();
      assertThat(store.purge(Duration.ZERO, 10).messages()).isPositive();
    }
  }

  /** The rows alone give it away: nothing was settled yet when the dump was made. */
  @Test
  void aDumpWithoutAPositionIsRecognisedByItsRows() throws Exception {
    String from = source.createDatabase("fresh");
    try (PostgresOrderedStore store = open(from)) {
      append(store, "a");
    }
    Dump dump = Dump.of(from);
    String url = target.createDatabase("fresh");
    dump.restoreInto(url, OPTIONS);

    try (PostgresOrderedStore store = open(url)) {
      LaneLease lease = take(store);
      LaneBatch batch = store.log().read(lease, lease.position(), 100);
      assertThat(types(batch)).containsExactly("a");
      store.log().advance(lease, batch.end(), List.of());

      assertThat(statuses(url)).containsOnly("DISPATCHED");
      useNumbers(url, 6_000);
      assertThat(types(store.log().read(lease, batch.end(), 100))).isEmpty();
    }
  }

  /** Another system identifier, and numbers that are in the past of the new server. */
  @Test
  void aPositionOfAnotherServerNeedsNoNumbersOfTheFutureToBeRecognised() throws Exception {
    Dump dump = dumpWithAStraggler("identifier");
    String url = source.createDatabase("identifier");
    dump.restoreInto(url, OPTIONS);
    execute(url, "UPDATE outbox_cursor SET system_id = system_id + 1");

    try (PostgresOrderedStore store = open(url)) {
      LaneLease lease = take(store);
      LaneBatch batch = store.log().read(lease, lease.position(), 100);
      assertThat(types(batch)).contains("straggler", "unread");
      store.log().advance(lease, batch.end(), List.of());

      assertThat(statuses(url)).containsOnly("DISPATCHED");
      assertThat(types(store.log().read(lease, batch.end(), 100))).isEmpty();
    }
  }

  @Test
  void aDumpRestoredInTheSameServerUnderAnotherNameLosesNothing() throws Exception {
    Dump dump = dumpWithAStraggler("same");
    String url = source.createDatabase("same");
    dump.restoreInto(url, OPTIONS);

    try (PostgresOrderedStore store = open(url)) {
      LaneLease lease = take(store);
      LaneBatch batch = store.log().read(lease, lease.position(), 100);
      assertThat(types(batch)).contains("straggler", "unread");
      store.log().advance(lease, batch.end(), List.of());

      assertThat(statuses(url)).containsOnly("DISPATCHED");
      assertThat(types(store.log().read(lease, batch.end(), 100))).isEmpty();
    }
  }

  /** Its memory is ahead of the dump, and new messages take places that it believes it has read. */
  @Test
  void anOwnerLosesItsLaneWhenAnOldDumpIsRestoredUnderIt() throws Exception {
    assumeTrue(System.getenv("POSTGRES_CLIENT") == null, "replaces rows");
    String url = source.createDatabase("under");
    try (PostgresOrderedStore store = open(url)) {
      LaneLease lease = take(store);
      append(store, "a");
      LaneBatch batch = store.log().read(lease, lease.position(), 100);
      store.log().advance(lease, batch.end(), List.of());
      Dump old = Dump.of(url);
      append(store, "b", "c");
      LaneBatch ahead = store.log().read(lease, batch.end(), 100);
      store.log().advance(lease, ahead.end(), List.of());

      old.restoreRowsInto(url);
      append(store, "d", "e", "f");

      assertThatThrownBy(() -> store.log().read(lease, ahead.end(), 100))
          .isInstanceOf(LaneLostException.class);
      assertThatThrownBy(() -> store.log().advance(lease, ahead.end(), List.of()))
          .isInstanceOf(LaneLostException.class);
      LaneLease again = take(store);
      assertThat(types(store.log().read(again, again.position(), 100))).endsWith("d", "e", "f");
    }
  }

  /** Its place may be below what was read: where the dump ends is not known while it is open. */
  @Test
  void aTransactionThatAppendsDuringTheFirstTakeIsNamedAndIsNotPassedOver() throws Exception {
    Dump dump = dumpWithAStraggler("open");
    String url = target.createDatabase("open");
    dump.restoreInto(url, OPTIONS);

    try (PostgresOrderedStore store = open(url);
        Connection open = dataSource(url).getConnection()) {
      open.setAutoCommit(false);
      store.append(open, List.of(message("open")), MINUTE);

      assertThatThrownBy(() -> take(store))
          .hasMessageContaining("another server")
          .hasMessageContaining("idle in transaction");

      open.commit();
      LaneLease lease = take(store);
      LaneBatch batch = store.log().read(lease, lease.position(), 100);
      assertThat(types(batch)).contains("straggler", "unread").endsWith("open");
    }
  }

  /** One message is settled early, one overtook the straggler, one was never read. */
  private static Dump dumpWithAStraggler(String name) throws Exception {
    return dumpWithAStraggler(name, "unread");
  }

  /**
   * @param ahead types of messages after the straggler that were not read either
   */
  private static Dump dumpWithAStraggler(String name, String... ahead) throws Exception {
    String url = source.createDatabase(name);
    try (PostgresOrderedStore store = open(url);
        Connection slow = dataSource(url).getConnection()) {
      append(store, "early");
      LaneLease lease = take(store);
      LaneBatch batch = store.log().read(lease, lease.position(), 10);
      store.log().advance(lease, batch.end(), List.of());
      for (int i = 0; i < 3; i++) {
        append(store, "more");
        batch = store.log().read(lease, batch.end(), 10);
        store.log().advance(lease, batch.end(), List.of());
      }
      slow.setAutoCommit(false);
      store.append(slow, List.of(message("straggler")), MINUTE);
      append(store, "overtook");
      batch = store.log().read(lease, batch.end(), 10);
      assertThat(types(batch)).containsExactly("overtook");
      store.log().advance(lease, batch.end(), List.of());
      slow.commit();
      append(store, ahead);
    }
    return Dump.of(url);
  }

  private static long nextNumber(String url) throws SQLException {
    return Long.parseLong(TestDatabase.rows(dataSource(url), "SELECT pg_current_xact_id()").get(0));
  }

  private static void useNumbers(String url, long count) throws SQLException {
    execute(
        url,
        "DO $$ BEGIN FOR i IN 1..%d LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$"
            .formatted(count));
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = dataSource(url).getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> statuses(String url) throws SQLException {
    return TestDatabase.rows(dataSource(url), "SELECT status FROM outbox");
  }

  private static PostgresOrderedStore open(String url) {
    return PostgresOrderedStore.open(dataSource(url), OPTIONS);
  }

  private static PGSimpleDataSource dataSource(String url) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(url);
    return dataSource;
  }

  private static Message message(String type) {
    return Message.event(type).to("d").key("k").json("{}").build();
  }

  private static void append(PostgresOrderedStore store, String... types) {
    List<Message> messages = List.of(types).stream().map(RestoredDumpTest::message).toList();
    store.transactions().run(c -> store.append(c, messages, MINUTE));
  }

  private static LaneLease take(PostgresOrderedStore store) {
    return store.lanes().take(0, "n", MINUTE).orElseThrow();
  }

  private static List<String> types(LaneBatch batch) {
    return batch.entries().stream().map(LaneEntry::message).map(Message::type).toList();
  }
}
