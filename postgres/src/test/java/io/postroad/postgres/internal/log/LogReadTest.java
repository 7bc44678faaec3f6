package io.postroad.postgres.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.TestDatabase;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.LanePosition;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That reading the log loses nothing, doubles nothing and keeps the order. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class LogReadTest {
  private static final String LOOK =
      """
      CREATE TABLE IF NOT EXISTS said_early (times bigint);
      DO $$
      DECLARE
        said bigint;
        early bigint := 0;
      BEGIN
        FOR i IN 1..100000 LOOP
          said := %s;
          IF said >= nextval('outbox_log_pos') THEN
            early := early + 1;
          END IF;
        END LOOP;
        TRUNCATE said_early;
        INSERT INTO said_early VALUES (early);
      END $$""";

  private TestDatabase database;
  private PostgresOrderedStore store;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("log_read");
    store = database.openOrdered(1);
  }

  @BeforeEach
  void reset() throws SQLException {
    database.reset();
  }

  @AfterAll
  void close() {
    store.close();
    database.close();
  }

  @Test
  void aTransactionThatWasInTheListOfOpenOnesIsReadWhenItCommits() throws Exception {
    Reader reader = new Reader(UnaryOperator.identity());
    try (Connection early = begin()) {
      append(early, "early");
      commit("late");
      assertThat(reader.read(10)).containsExactly("late");
      assertThat(reader.position.seen().snapshot().running()).hasSize(1);
      assertThat(reader.read(10)).isEmpty();

      early.commit();

      assertThat(reader.read(10)).containsExactly("early");
      assertThat(reader.read(10)).isEmpty();
    }
  }

  @Test
  void aTransactionThatWasOpenAboveTheNewestEndedOneIsReadWhenItCommits() throws Exception {
    assertThat(readOfOneOpenAboveXmax(UnaryOperator.identity())).containsExactly("low", "high");
  }

  /** The bug that this store must not have, so that the test before is known to see it. */
  @Test
  void lookingInTheListOfOpenOnesOnlyDoesNotReadIt() {
    assertThatThrownBy(() -> readOfOneOpenAboveXmax(LogReadTest::naive))
        .as("a message below what was read, of a transaction that began later")
        .isInstanceOf(LaneLostException.class);
  }

  /** Forgets that transactions may be open above the newest one that has ended. */
  private static LogPosition naive(LogPosition position) {
    TxSnapshot snapshot = position.seen().snapshot();
    return new LogPosition(
        position.head(),
        new LogPosition.Seen(snapshot, snapshot.xmax()),
        position.window(),
        position.floor(),
        position.origin());
  }

  private List<String> readOfOneOpenAboveXmax(UnaryOperator<LogPosition> between)
      throws SQLException {
    while (true) {
      database.reset();
      Reader reader = new Reader(between);
      try (Connection low = begin();
          Connection high = begin()) {
        xid(low);
        long xid = xid(high);
        append(high, "high");
        append(low, "low");
        low.commit();
        List<String> read = new ArrayList<>(reader.read(10));
        // Something else on this server may have ended in between: then it stands in the list.
        boolean above = reader.position.seen().snapshot().xmax() <= xid;
        high.commit();
        read.addAll(reader.read(10));
        if (above) {
          return read;
        }
      }
    }
  }

  @Test
  void whatIsOpenBelowTheLastPlaceDrawnIsPassedOnceAndReadWhenItCommits() throws Exception {
    Reader reader = new Reader(UnaryOperator.identity());
    try (Connection open = begin()) {
      append(open, "a", "b");
      assertThat(reader.read(10)).isEmpty();
      assertThat(reader.position.head()).isEqualTo(lastPlace());

      append(open, "c");
      open.commit();

      assertThat(reader.read(10)).containsExactly("a", "b", "c");
    }
  }

  /** Else the reader's head would be there before a transaction that draws it has begun. */
  @Test
  void aPlaceIsSaidToBeDrawnNotBeforeItIs() throws Exception {
    assertThat(isSaidEarly(LogSql.filled("${drawn}", database.options()), 3)).isFalse();
  }

  /** The bug that this store had, so that the test before is known to see it. */
  @Test
  void theSequenceReadAsATableSaysSoBefore() throws Exception {
    assertThat(isSaidEarly("(SELECT last_value FROM outbox_log_pos)", 60)).isTrue();
  }

  /** Whether the expression ever names a place that is drawn only after it, while another draws. */
  private boolean isSaidEarly(String expression, int rounds) throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<?> drawing =
          other.submit(
              () -> {
                while (!enough.get()) {
                  database.value(
                      "SELECT count(nextval('outbox_log_pos')) FROM generate_series(1, 10000)");
                }
                return null;
              });
      boolean early = false;
      for (int round = 0; round < rounds && !early; round++) {
        database.execute(LOOK.formatted(expression));
        early = !database.value("SELECT times FROM said_early").equals("0");
      }
      enough.set(true);
      drawing.get(60, TimeUnit.SECONDS);
      return early;
    } finally {
      enough.set(true);
      other.shutdownNow();
    }
  }

  @Test
  void theFirstPlaceEverIsNotPassedBeforeItIsDrawn() throws Exception {
    database.execute("ALTER SEQUENCE outbox_log_pos RESTART");
    Reader reader = new Reader(UnaryOperator.identity());
    assertThat(reader.read(10)).isEmpty();
    assertThat(reader.position.head()).isZero();

    commit("first");

    assertThat(reader.read(10)).containsExactly("first");
  }

  /** Late messages over several reads, continued from every stored position in between. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 20})
  void aWindowGoesOverSeveralReadsAndContinuesInItsMiddle(int limit) throws Exception {
    List<String> late = IntStream.range(0, 7).mapToObj(i -> "late" + i).toList();
    Reader reader = new Reader(UnaryOperator.identity());
    try (Connection early = begin();
        Connection other = begin()) {
      append(early, late.toArray(String[]::new));
      append(other, "other");
      commit("ahead");
      assertThat(reader.read(10)).containsExactly("ahead");
      early.commit();
      List<String> read = new ArrayList<>();
      boolean otherCommitted = false;
      while (read.size() < 9) {
        LaneBatch batch = store.log().read(reader.lease, reader.position, limit);
        List<LaneEntry> entries = batch.entries();
        // Settles only the first message of each batch, and lets another owner go on from there.
        if (!entries.isEmpty()) {
          read.add(entries.get(0).message().type());
          store.log().advance(reader.lease, entries.get(0).position(), List.of());
          reader = new Reader(UnaryOperator.identity());
        } else {
          reader.position = (LogPosition) batch.end();
        }
        if (read.size() == 3 && !otherCommitted) {
          otherCommitted = true;
          other.commit();
          commit("further");
        }
      }

      assertThat(read.subList(0, 7)).isEqualTo(late);
      assertThat(read.subList(7, 9)).containsExactly("other", "further");
      assertThat(reader.read(10)).isEmpty();
    }
  }

  @Test
  void messagesOfSavepointsAreReadAndThoseOfRolledBackOnesAreNot() throws Exception {
    Reader reader = new Reader(UnaryOperator.identity());
    try (Connection user = begin()) {
      append(user, "a");
      Savepoint undone = user.setSavepoint();
      append(user, "undone");
      user.rollback(undone);
      Savepoint kept = user.setSavepoint();
      append(user, "b");
      user.releaseSavepoint(kept);
      commit("other");
      assertThat(reader.read(10)).containsExactly("other");

      user.commit();

      assertThat(reader.read(10)).containsExactly("a", "b");
    }
    try (Connection user = begin()) {
      append(user, "never");
      commit("another");
      user.rollback();
    }
    assertThat(reader.read(10)).containsExactly("another");
    assertThat(reader.read(10)).isEmpty();
  }

  /** A range of transaction numbers that is too long to be looked up one by one. */
  @Test
  void aTransactionWithThousandsOfSavepointsIsReadWhole() throws Exception {
    Reader reader = new Reader(UnaryOperator.identity());
    try (Connection low = begin();
        Connection user = begin();
        Connection high = begin();
        Statement statement = user.createStatement()) {
      xid(low);
      append(user, "a");
      statement.execute("CREATE TEMP TABLE filler (i int)");
      statement.execute(
          "DO $$ BEGIN FOR i IN 1..1000 LOOP BEGIN INSERT INTO filler VALUES (i);"
              + " EXCEPTION WHEN division_by_zero THEN NULL; END; END LOOP; END $$");
      append(user, "b");
      append(high, "high");
      append(low, "low");
      low.commit();
      assertThat(reader.read(10)).containsExactly("low");

      user.commit();
      assertThat(reader.read(1)).containsExactly("a");
      assertThat(reader.read(10)).containsExactly("b");
      high.commit();
      assertThat(reader.read(10)).containsExactly("high");
    }
  }

  /** Else a place could be seen whose transaction is not yet among those that may be late. */
  @Test
  void aTransactionHasItsNumberBeforeItsFirstPlace() throws Exception {
    int writers = 100;
    ExecutorService threads = Executors.newFixedThreadPool(20);
    CountDownLatch start = new CountDownLatch(1);
    List<LogPosition> positions = new ArrayList<>();
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        done.add(
            threads.submit(
                () -> {
                  start.await();
                  commit("w");
                  return null;
                }));
      }
      start.countDown();
      Reader reader = new Reader(UnaryOperator.identity());
      while (done.stream().anyMatch(writer -> !writer.isDone())) {
        reader.read(1000);
        positions.add(reader.position);
      }
      for (Future<?> writer : done) {
        writer.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    for (LogPosition position : positions) {
      assertThat(
              database.rows(
                  "SELECT pos FROM outbox_log WHERE pos <= ? AND xid >= CAST(? AS xid8)",
                  position.head(),
                  Long.toString(position.seen().next())))
          .isEmpty();
    }
    // The second logs places for the next draws.
    database.value("SELECT setval('outbox_log_pos', %d)".formatted(lastPlace()));
    database.value("SELECT nextval('outbox_log_pos')");
    try (Connection user = begin();
        Statement statement = user.createStatement()) {
      // A sequence that has places left in its WAL record assigns no number by itself.
      statement.execute("SELECT nextval('outbox_log_pos')");
      assertThat(assigned(user)).isFalse();
      append(user, "x");
      assertThat(assigned(user)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 50})
  void nothingIsLostDoubledOrOutOfOrderUnderManyWriters(int limit) throws Exception {
    Trial trial = new Trial(UnaryOperator.identity(), limit);
    trial.run(8, 150);

    assertThat(trial.lost()).isEmpty();
    assertThat(trial.doubled()).isEmpty();
    assertThat(trial.outOfOrder()).isEmpty();
  }

  @Test
  void aMessageThatCannotBeReadIsADeadLetterAndTheOthersAreRead() throws Exception {
    Reader reader = new Reader(UnaryOperator.identity());
    List<Message> messages = messages("a", "b", "c");
    store.transactions().run(c -> store.append(c, messages, Duration.ofDays(1)));
    UUID bad = messages.get(1).id();
    database.update("UPDATE outbox_log_0 SET headers = 'nonsense' WHERE outbox_id = ?", bad);
    database.update("UPDATE outbox_log_1 SET headers = 'nonsense' WHERE outbox_id = ?", bad);
    database.update("UPDATE outbox_log_2 SET headers = 'nonsense' WHERE outbox_id = ?", bad);

    assertThat(reader.read(10)).containsExactly("a", "c");
    store.log().advance(reader.lease, reader.position, List.of());

    assertThat(
            database.rows(
                "SELECT outbox_id, status, retry_count, last_error FROM outbox WHERE status <> 'DISPATCHED'"))
        .singleElement()
        .asString()
        .startsWith(bad + "|FAILED|1|the row cannot be read as a message: ")
        .contains("name: value");
    assertThat(store.blockedMessages().take(reader.lease, 10)).isEmpty();
    assertThat(store.backlog().dead()).isEqualTo(1);
    assertThatThrownBy(() -> store.find(bad)).hasMessageContaining(bad + " cannot be read");
  }

  /** Reading again what was buried already, as after a crash, changes nothing. */
  @Test
  void aMessageThatCannotBeReadIsBuriedOnce() throws Exception {
    commit("bad");
    database.execute(
        "UPDATE outbox_log_0 SET category = 'x'; UPDATE outbox_log_1 SET category = 'x';"
            + " UPDATE outbox_log_2 SET category = 'x'");

    assertThat(new Reader(UnaryOperator.identity()).read(10)).isEmpty();
    assertThat(new Reader(UnaryOperator.identity()).read(1)).isEmpty();

    assertThat(database.value("SELECT count(*) FROM outbox_held")).isEqualTo("1");
    assertThat(database.value("SELECT count(*) FROM outbox")).isEqualTo("1");
  }

  private static boolean assigned(Connection user) throws SQLException {
    try (Statement statement = user.createStatement();
        var row = statement.executeQuery("SELECT pg_current_xact_id_if_assigned() IS NOT NULL")) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private static long xid(Connection user) throws SQLException {
    try (Statement statement = user.createStatement();
        var row = statement.executeQuery("SELECT pg_current_xact_id()::text::bigint")) {
      row.next();
      return row.getLong(1);
    }
  }

  private long lastPlace() throws SQLException {
    return Long.parseLong(database.value("SELECT pg_sequence_last_value('outbox_log_pos')"));
  }

  private Connection begin() throws SQLException {
    Connection connection = database.pool().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private void append(Connection transaction, String... types) {
    store.append(transaction, messages(types), Duration.ofDays(1));
  }

  private void commit(String... types) {
    store
        .transactions()
        .run(transaction -> store.append(transaction, messages(types), Duration.ofDays(1)));
  }

  private static List<Message> messages(String... types) {
    return Stream.of(types)
        .map(type -> Message.event(type).to("d").key("k").json("{}").build())
        .toList();
  }

  /** Takes the lane and reads on from position to position. */
  private final class Reader {
    private final UnaryOperator<LogPosition> between;
    private final LaneLease lease;
    private LogPosition position;

    Reader(UnaryOperator<LogPosition> between) {
      this.between = between;
      lease = store.lanes().take(0, "reader", Duration.ofMinutes(1)).orElseThrow();
      position = (LogPosition) lease.position();
    }

    List<String> read(int limit) {
      return batch(limit).stream().map(entry -> entry.message().type()).toList();
    }

    List<LaneEntry> batch(int limit) {
      LaneBatch batch = store.log().read(lease, between.apply(position), limit);
      position = (LogPosition) batch.end();
      return batch.entries();
    }
  }

  /** Writers of few keys, each message with its number among those of its key. */
  private final class Trial {
    private static final int KEYS = 4;

    private final Reader reader;
    private final int limit;
    private final Queue<String> committed = new ConcurrentLinkedQueue<>();
    private final List<String> read = new ArrayList<>();

    Trial(UnaryOperator<LogPosition> between, int limit) {
      this.reader = new Reader(between);
      this.limit = limit;
    }

    void run(int writers, int transactions) throws Exception {
      ExecutorService threads = Executors.newFixedThreadPool(writers);
      try {
        List<Future<?>> done = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
          String name = "w" + writer;
          Random random = new Random(writer);
          done.add(
              threads.submit(
                  () -> {
                    for (int i = 0; i < transactions; i++) {
                      write(name, i, random);
                    }
                    return null;
                  }));
        }
        while (done.stream().anyMatch(writer -> !writer.isDone())) {
          readOn();
        }
        for (Future<?> writer : done) {
          writer.get();
        }
        while (readOn()) {
          // Until nothing is left.
        }
      } finally {
        threads.shutdownNow();
      }
    }

    /** A writer is the only one of its keys, so its commits are their order. */
    private void write(String writer, int number, Random random) throws SQLException {
      try (Connection transaction = begin()) {
        List<String> names = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
          String name = "%s-%d/%05d.%d".formatted(writer, random.nextInt(KEYS), number, i);
          append(transaction, name);
          names.add(name);
          if (random.nextInt(4) == 0) {
            Savepoint undone = transaction.setSavepoint();
            append(transaction, "undone");
            transaction.rollback(undone);
          }
        }
        if (random.nextInt(10) == 0) {
          transaction.rollback();
        } else {
          transaction.commit();
          committed.addAll(names);
        }
      }
    }

    private boolean readOn() {
      LanePosition before = reader.position;
      List<LaneEntry> entries = reader.batch(limit);
      entries.forEach(entry -> read.add(entry.message().type()));
      return !entries.isEmpty() || ((LogPosition) before).window().isPresent();
    }

    List<String> lost() {
      List<String> lost = new ArrayList<>(committed);
      lost.removeAll(read);
      return lost;
    }

    List<String> doubled() {
      Map<String, Long> counts =
          read.stream().collect(Collectors.groupingBy(name -> name, Collectors.counting()));
      return counts.entrySet().stream()
          .filter(entry -> entry.getValue() > 1 || !committed.contains(entry.getKey()))
          .map(Map.Entry::getKey)
          .toList();
    }

    List<String> outOfOrder() {
      Map<String, String> last = new HashMap<>();
      List<String> wrong = new ArrayList<>();
      for (String name : read) {
        String before = Optional.ofNullable(last.put(name.split("/", 2)[0], name)).orElse("");
        if (before.compareTo(name) > 0) {
          wrong.add(before + " before " + name);
        }
      }
      return wrong;
    }
  }
}
