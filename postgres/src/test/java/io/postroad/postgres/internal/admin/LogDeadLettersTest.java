package io.postroad.postgres.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.TestDatabase;
import io.postroad.postgres.internal.log.LogSql;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is PostgreSQL's own about the dead letters of the ordered store. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class LogDeadLettersTest {
  private static final Decision DECISION = new Decision("test", "to see what happens");
  private static final Duration HOUR = Duration.ofHours(1);

  private TestDatabase database;
  private PostgresOrderedStore store;
  private LaneLease lease;
  private LanePosition position;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("log_dead");
  }

  @BeforeEach
  void open() throws SQLException {
    database.reset();
    store = database.openOrdered(1);
    lease = store.lanes().take(0, "n", HOUR).orElseThrow();
    position = lease.position();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void aRowThatIsNoMessageGoesBackToItsKeyWhenItIsMended() throws Exception {
    Message bad = message("k");
    append(bad, message("k"));
    everyLog("UPDATE %s SET headers = 'nonsense' WHERE outbox_id = '" + bad.id() + "'");
    assertThat(read()).hasSize(1);
    store.log().advance(lease, position, List.of());

    DeadLetter letter = store.deadLetters().find(bad.id()).orElseThrow();
    assertThat(letter.message().type()).isEqualTo("postroad.unreadable");
    assertThat(letter.message().key()).contains("k");
    assertThat(letter.blocksKey()).isFalse();
    database.update("UPDATE outbox_held SET headers = ''");
    assertThat(store.deadLetters().replay(List.of(bad.id()), DECISION)).hasSize(1);

    List<Claim> taken = store.blockedMessages().take(lease, 10);
    assertThat(taken).extracting(Claim::message).containsExactly(bad);
    assertThat(
            store.blockedMessages().settle(lease, List.of(new Settlement.Delivered(taken.get(0)))))
        .containsExactly(OrderKey.of(bad));
    assertNothingIsHeld();
  }

  /** The log's row still is no message. */
  @Test
  void aRowThatWasMendedIsNotBuriedAgainWhenTheLogIsReadAgain() throws Exception {
    Message bad = message("k");
    append(bad);
    everyLog("UPDATE %s SET headers = 'nonsense'");
    assertThat(read()).isEmpty();
    database.update("UPDATE outbox_held SET headers = ''");
    store.deadLetters().replay(List.of(bad.id()), DECISION);

    LaneLease again = store.lanes().take(0, "n", HOUR).orElseThrow();
    assertThat(store.log().read(again, again.position(), 10).entries()).isEmpty();

    assertThat(database.rows("SELECT order_key, status FROM outbox_held"))
        .containsExactly("key/k|PENDING");
  }

  @Test
  void aRowThatIsNoMessageMayBeReplaced() throws Exception {
    Message bad = message("k");
    append(bad);
    everyLog("UPDATE %s SET category = 'x'");
    assertThat(read()).isEmpty();
    store.log().advance(lease, position, List.of());
    Message edited = message("k");

    assertThat(store.deadLetters().replace(bad.id(), edited, DECISION)).isTrue();

    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(Claim::message)
        .containsExactly(edited);
    assertThat(database.rows("SELECT outbox_id, category FROM outbox_log"))
        .containsExactly(edited.id() + "|event");
  }

  /** An owner that does not hear that its settle was committed settles again. */
  @Test
  void aSettleThatIsRepeatedDoesNotUndoAReplay() throws Exception {
    Message message = message("k");
    append(message);
    hold(new Settlement.Retry(read().get(0), Duration.ZERO, "once more"));
    Claim claim = store.blockedMessages().take(lease, 10).get(0);
    List<Settlement> dead = List.of(new Settlement.Dead(claim, "dead"));
    store.blockedMessages().settle(lease, dead);
    store.deadLetters().replay(List.of(message.id()), DECISION);

    store.blockedMessages().settle(lease, dead);
    store.blockedMessages().settle(lease, List.of(new Settlement.Delivered(claim)));
    store.blockedMessages().settle(lease, List.of(new Settlement.Retry(claim, HOUR, "later")));

    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(Claim::message)
        .containsExactly(message);
  }

  @Test
  void severalDeadLettersOfOneLineAreSkippedTogether() throws Exception {
    List<Message> line = List.of(message("k"), message("k"), message("k"), message("k"));
    append(line.toArray(Message[]::new));
    List<Claim> claims = read();
    hold(
        new Settlement.Dead(claims.get(0), "dead"),
        new Settlement.Dead(claims.get(1), "dead"),
        waits(claims.get(2)),
        new Settlement.Dead(claims.get(3), "behind one that is alive"));

    assertThat(
            store
                .blockedKeys()
                .skip(List.of(line.get(3).id(), line.get(1).id(), line.get(0).id()), DECISION))
        .containsExactlyInAnyOrder(line.get(0).id(), line.get(1).id());

    List<Claim> taken = store.blockedMessages().take(lease, 10);
    assertThat(taken).extracting(Claim::message).containsExactly(line.get(2));
    assertThat(store.blockedMessages().settle(lease, List.of(waits(taken.get(0))))).isEmpty();
    store.deadLetters().replay(List.of(line.get(0).id(), line.get(1).id()), DECISION);
    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(Claim::message)
        .containsExactlyElementsOf(line.subList(0, 3));
  }

  @Test
  void whatIsDecidedBehindTheFirstDoesNotMoveWhenItIsDue() throws Exception {
    Message first = message("k");
    Message second = message("k");
    append(first, second);
    List<Claim> claims = read();
    hold(
        new Settlement.Retry(claims.get(0), HOUR, "later"),
        new Settlement.Dead(claims.get(1), "dead"));
    assertThat(store.deadLetters().find(second.id()).orElseThrow().blocksKey()).isFalse();

    store.deadLetters().replay(List.of(second.id()), DECISION);

    assertThat(store.blockedMessages().take(lease, 10)).isEmpty();
    database.advance(HOUR.plusSeconds(1));
    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(Claim::message)
        .containsExactly(first, second);
  }

  @Test
  void whoJoinsAKeyThatWaitsDoesNotMakeItDue() throws Exception {
    append(message("k"));
    hold(new Settlement.Retry(read().get(0), HOUR, "later"));
    append(message("k"));
    hold(waits(read().get(0)));

    assertThat(store.blockedMessages().take(lease, 10)).isEmpty();
  }

  /** A key is parked while its first message is dead, wherever that one came from. */
  @Test
  void aLateDeathInFrontParksAKeyThatWaited() throws Exception {
    Message late = message("k");
    Message early = message("k");
    try (Connection open = database.pool().getConnection()) {
      open.setAutoCommit(false);
      store.append(open, List.of(late), Duration.ofDays(1));
      append(early);
      hold(new Settlement.Retry(read().get(0), HOUR, "later"));
      open.commit();
    }
    hold(new Settlement.Dead(read().get(0), "dead"));

    assertThat(store.blockedMessages().take(lease, 10)).isEmpty();
    assertThat(store.blockedKeys().list(Optional.empty(), 10))
        .extracting(BlockedKey::deadLetter)
        .containsExactly(late.id());
    assertThat(store.blockedKeys().skip(List.of(late.id()), DECISION)).hasSize(1);
    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(Claim::message)
        .containsExactly(early);
  }

  @Test
  void aLateMessageInFrontOfADeadLetterIsSentBeforeItAndTheKeyIsParkedAgain() throws Exception {
    Message late = message("k");
    Message dead = message("k");
    try (Connection open = database.pool().getConnection()) {
      open.setAutoCommit(false);
      store.append(open, List.of(late), Duration.ofDays(1));
      append(dead);
      hold(new Settlement.Dead(read().get(0), "dead"));
      open.commit();
    }
    hold(waits(read().get(0)));

    assertThat(store.blockedKeys().summary().keys()).isZero();
    List<Claim> taken = store.blockedMessages().take(lease, 10);
    assertThat(taken).extracting(Claim::message).containsExactly(late);
    store.blockedMessages().settle(lease, List.of(new Settlement.Delivered(taken.get(0))));

    assertThat(store.blockedKeys().list(Optional.empty(), 10))
        .extracting(BlockedKey::deadLetter)
        .containsExactly(dead.id());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRescanHoldsBackOnceWhateverStandsAside(boolean asideAtFirst) throws Exception {
    Message dead = message("k");
    append(dead);
    Claim claim = read().get(0);
    hold(new Settlement.Dead(claim, "dead", !asideAtFirst));
    if (!asideAtFirst) {
      store.blockedKeys().skip(List.of(dead.id()), DECISION);
    }

    hold(new Settlement.Dead(claim, "again", asideAtFirst));

    assertThat(database.rows("SELECT order_key, last_error FROM outbox_held"))
        .containsExactly("id/" + dead.id() + "|dead");
    assertThat(store.blockedMessages().keys(lease)).doesNotContain(OrderKey.of(dead));
  }

  @Test
  void theViewShowsWhatWasDecided() throws Exception {
    List<Message> messages = List.of(message("a"), message("b"), message("c"), message("d"));
    append(messages.toArray(Message[]::new));
    List<Claim> claims = read();
    hold(
        claims.stream()
            .map(claim -> new Settlement.Dead(claim, "dead"))
            .toArray(Settlement[]::new));
    Message edited = Message.event("edited").to("d").key("b").json("{}").build();

    store.deadLetters().discard(List.of(messages.get(0).id()), DECISION);
    store.deadLetters().replace(messages.get(1).id(), edited, DECISION);
    store.blockedKeys().skip(List.of(messages.get(2).id()), DECISION);
    store.deadLetters().replay(List.of(messages.get(3).id()), DECISION);

    assertThat(
            database.rows(
                "SELECT message_key, type, status, retry_count, last_error, due_at IS NOT NULL,"
                    + " settled_at IS NOT NULL FROM outbox ORDER BY 1"))
        .containsExactly(
            "b|edited|PENDING|0|null|t|f", "c|T|FAILED|1|dead|f|t", "d|T|PENDING|0|dead|t|f");
  }

  @Test
  void aReplacementMayNotHaveTheIdOfAMessageThatIsStored() throws Exception {
    Message dead = message("k");
    Message delivered = message("k");
    append(delivered);
    read();
    append(dead);
    hold(new Settlement.Dead(read().get(0), "dead"));

    assertThatThrownBy(() -> store.deadLetters().replace(dead.id(), delivered, DECISION))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining(delivered.id().toString());
    assertThat(store.deadLetters().find(dead.id())).isPresent();
  }

  /** Neither may pass the other between a look at a key and its change. */
  @Test
  void aDecisionWaitsForWhatTheOwnerIsWriting() throws Exception {
    Message dead = message("k");
    append(dead);
    hold(new Settlement.Dead(read().get(0), "dead"));
    try (Connection owner = database.pool().getConnection();
        Statement statement = owner.createStatement()) {
      owner.setAutoCommit(false);
      statement.execute("SELECT 1 FROM outbox_awake FOR UPDATE");
      CompletableFuture<Set<UUID>> discarded =
          CompletableFuture.supplyAsync(
              () -> store.deadLetters().discard(List.of(dead.id()), DECISION));
      database.awaitLockWait();
      statement.execute(
          """
          INSERT INTO outbox_held (lane, order_key, pos, outbox_id, category, type, message_key,
            destination, schema_version, headers, content_type, payload, created_at, status, attempt)
          SELECT lane, order_key, pos + 1, gen_random_uuid(), category, 'behind', message_key,
            destination, schema_version, headers, content_type, payload, created_at, 'PENDING', 0
          FROM outbox_held
          """);
      owner.commit();

      assertThat(discarded.get(60, TimeUnit.SECONDS)).containsExactly(dead.id());
    }
    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(claim -> claim.message().type())
        .containsExactly("behind");
  }

  /** Without an owner there is nobody's row to lock but the lane's. */
  @Test
  void aDecisionAndATakeOverWaitForEachOther() throws Exception {
    Message dead = message("k");
    append(dead);
    hold(new Settlement.Dead(read().get(0), "dead"));
    database.execute("TRUNCATE outbox_awake");
    try (Connection other = database.pool().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SELECT 1 FROM outbox_lane FOR UPDATE");
      CompletableFuture<Set<UUID>> skipped =
          CompletableFuture.supplyAsync(
              () -> store.blockedKeys().skip(List.of(dead.id()), DECISION));
      database.awaitLockWait();
      other.rollback();

      assertThat(skipped.get(60, TimeUnit.SECONDS)).containsExactly(dead.id());
    }
  }

  @Test
  void onlyTheLanesOfADecisionAreCounted() throws Exception {
    store.close();
    database.setLanes(4);
    database.execute("TRUNCATE outbox_awake");
    store = database.openOrdered(4);
    List<Message> dead = new ArrayList<>();
    for (int lane = 0; lane < 4; lane++) {
      Message message = inLane(lane);
      append(message);
      lease = store.lanes().take(lane, "n", HOUR).orElseThrow();
      position = lease.position();
      hold(new Settlement.Dead(read().get(0), "dead"));
      dead.add(message);
    }

    store.deadLetters().replay(List.of(dead.get(3).id(), dead.get(1).id()), DECISION);
    store.deadLetters().replay(List.of(dead.get(1).id()), DECISION);

    assertThat(database.rows("SELECT lane, decisions FROM outbox_lane ORDER BY lane"))
        .containsExactly("0|0", "1|1", "2|0", "3|1");
  }

  @Test
  void aDecisionWakesTheRelays() throws Exception {
    Message dead = message("k");
    append(dead);
    hold(new Settlement.Dead(read().get(0), "dead"));
    CompletableFuture<Boolean> woken = new CompletableFuture<>();
    try (var unused = store.wakeUps().subscribe(() -> woken.complete(true))) {
      assertThat(store.blockedKeys().release(OrderKey.of(message("other")), DECISION)).isFalse();
      assertThat(woken).isNotDone();
      assertThat(store.blockedKeys().release(OrderKey.of(dead), DECISION)).isTrue();

      assertThat(woken.get(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aDeadLetterThatSomebodyMadeByHandIsListed() throws Exception {
    Message message = message("k");
    append(message);
    hold(new Settlement.Retry(read().get(0), HOUR, "later"));
    database.update("UPDATE outbox_held SET status = 'FAILED'");

    assertThat(store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10))
        .extracting(DeadLetter::id)
        .containsExactly(message.id());
    assertThat(store.deadLetters().replay(List.of(message.id()), DECISION)).hasSize(1);
    assertThat(store.blockedMessages().take(lease, 10)).hasSize(1);
  }

  private void assertNothingIsHeld() throws SQLException {
    assertThat(database.rows("SELECT * FROM outbox_held")).isEmpty();
    assertThat(database.rows("SELECT * FROM outbox_held_key")).isEmpty();
  }

  private void everyLog(String statement) throws SQLException {
    for (int table = 0; table < LogSql.TABLES; table++) {
      database.execute(statement.formatted("outbox_log_" + table));
    }
  }

  private List<Claim> read() {
    LaneBatch batch = store.log().read(lease, position, 100);
    position = batch.end();
    return batch.entries().stream().map(LaneEntry::claim).toList();
  }

  private void hold(Settlement... settlements) {
    store.log().advance(lease, position, List.of(settlements));
  }

  private static Settlement waits(Claim claim) {
    return new Settlement.Release(claim, Duration.ZERO, "waits");
  }

  private static Message message(String key) {
    return Message.event("T").to("d").key(key).json("{}").build();
  }

  private static Message inLane(int lane) {
    for (int i = 0; ; i++) {
      Message message = message("key-" + i);
      if (OrderKey.of(message).lane(4) == lane) {
        return message;
      }
    }
  }

  private void append(Message... messages) {
    store.transactions().run(c -> store.append(c, List.of(messages), Duration.ofDays(1)));
  }
}
