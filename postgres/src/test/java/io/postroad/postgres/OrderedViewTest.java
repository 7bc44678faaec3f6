package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneLease;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The view {@code outbox} shows each message of the ordered store once, as it stands. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class OrderedViewTest {
  private static final Duration DAY = Duration.ofDays(1);

  private TestDatabase database;
  private PostgresOrderedStore store;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("ordered_view");
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
  void aMessageIsPendingUntilTheLaneHasPassedIt() throws Exception {
    append(message("a"), message("b"));
    assertThat(view()).containsExactly("a|PENDING|0", "b|PENDING|0");
    LaneLease lease = take();
    LaneBatch batch = store.log().read(lease, lease.position(), 10);
    assertThat(view()).containsExactly("a|PENDING|0", "b|PENDING|0");

    store.log().advance(lease, batch.entries().get(0).position(), List.of());
    assertThat(view()).containsExactly("a|DISPATCHED|1", "b|PENDING|0");

    store.log().advance(lease, batch.end(), List.of());
    assertThat(view()).containsExactly("a|DISPATCHED|1", "b|DISPATCHED|1");
  }

  @Test
  void aLateMessageIsPendingBelowWhatIsDelivered() throws Exception {
    try (Connection early = database.pool().getConnection()) {
      early.setAutoCommit(false);
      store.append(early, List.of(message("late1"), message("late2")), DAY);
      append(message("ahead"));
      LaneLease lease = take();
      LaneBatch batch = store.log().read(lease, lease.position(), 10);
      store.log().advance(lease, batch.end(), List.of());
      early.commit();
      assertThat(view())
          .containsExactly("ahead|DISPATCHED|1", "late1|PENDING|0", "late2|PENDING|0");
      assertThat(store.backlog().pending()).isEqualTo(2);

      LaneBatch late = store.log().read(lease, batch.end(), 10);
      store.log().advance(lease, late.entries().get(0).position(), List.of());
      assertThat(view())
          .as("in the middle of a window")
          .containsExactly("ahead|DISPATCHED|1", "late1|DISPATCHED|1", "late2|PENDING|0");
      assertThat(store.backlog().pending()).isEqualTo(1);

      store.log().advance(lease, late.end(), List.of());
      assertThat(view())
          .containsExactly("ahead|DISPATCHED|1", "late1|DISPATCHED|1", "late2|DISPATCHED|1");
      assertThat(store.backlog().pending()).isZero();
    }
  }

  @Test
  void heldMessagesAreShownAsTheyStandAndNotInTheLogToo() throws Exception {
    Message dead = message("dead");
    Message retried = message("retried");
    append(dead, retried, message("ok"));
    LaneLease lease = take();
    LaneBatch batch = store.log().read(lease, lease.position(), 10);
    store
        .log()
        .advance(
            lease,
            batch.end(),
            List.of(
                new Settlement.Dead(batch.entries().get(0).claim(), "refused"),
                new Settlement.Retry(
                    batch.entries().get(1).claim(), Duration.ofMinutes(1), "busy")));
    assertThat(view()).containsExactly("dead|FAILED|1", "ok|DISPATCHED|1", "retried|PENDING|1");
    assertThat(
            database.rows(
                "SELECT type, last_error, due_at > public.test_now(), settled_at IS NOT NULL"
                    + " FROM outbox WHERE last_error IS NOT NULL ORDER BY 1"))
        .containsExactly("dead|refused|null|t", "retried|busy|t|f");

    database.advance(Duration.ofMinutes(2));
    List<Claim> claims = store.blockedMessages().take(lease, 10);
    store.lanes().renew(lease, Duration.ofMinutes(1));
    assertThat(
            database.rows(
                "SELECT retry_count, lease_owner, lease_until > public.test_now()"
                    + " FROM outbox WHERE type = 'retried'"))
        .containsExactly("2|n|t");
    assertThat(store.find(retried.id()).orElseThrow().status()).isEqualTo(MessageStatus.PROCESSING);

    store.blockedMessages().settle(lease, List.of(new Settlement.Delivered(claims.get(0))));
    assertThat(view()).containsExactly("dead|FAILED|1", "ok|DISPATCHED|1", "retried|DISPATCHED|1");
  }

  @Test
  void aScheduledMessageIsPendingBeforeAndAfterItIsAdmitted() throws Exception {
    Message later =
        Message.event("later").to("d").notBefore(store.now().plus(DAY)).json("{}").build();
    append(later);
    assertThat(view()).containsExactly("later|PENDING|0");
    assertThat(database.value("SELECT due_at = not_before FROM outbox")).isEqualTo("t");
    LaneLease lease = take();
    assertThat(store.log().admitDue(lease, 10)).isZero();
    database.advance(DAY.plusSeconds(1));

    assertThat(store.log().admitDue(lease, 10)).isEqualTo(1);

    assertThat(view()).containsExactly("later|PENDING|0");
    LaneBatch batch = store.log().read(lease, lease.position(), 10);
    store.log().advance(lease, batch.end(), List.of());
    assertThat(view()).containsExactly("later|DISPATCHED|1");
  }

  @Test
  void aDeadLetterIsSentAgainAsTheRunbookSays() throws Exception {
    String runbook = Files.readString(Path.of("..", "docs", "operate", "outbox.md"));
    String sql = runbook.substring(runbook.indexOf("WITH again AS"));
    Message dead = message("dead");
    append(dead, Message.event("behind").to("d").key("dead").json("{}").build());
    LaneLease lease = take();
    LaneBatch batch = store.log().read(lease, lease.position(), 10);
    store
        .log()
        .advance(
            lease,
            batch.end(),
            List.of(
                new Settlement.Dead(batch.entries().get(0).claim(), "refused"),
                new Settlement.Release(batch.entries().get(1).claim(), Duration.ZERO, "waits")));
    assertThat(store.blockedMessages().take(lease, 10)).isEmpty();

    database.update(
        sql.substring(0, sql.indexOf(';')).replace("'00000000-0000-0000-0000-000000000000'", "?"),
        dead.id());

    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(claim -> claim.message().type() + " " + claim.attempt())
        .containsExactly("dead 1", "behind 1");
  }

  /** Sections 10.1 and 10.2 of the guide, over both kinds of stores. */
  @Test
  void theGuidesQueriesRun() throws Exception {
    append(message("a"));
    try (PostgresCompetingStore queue = database.open()) {
      queue.transactions().run(c -> queue.append(c, List.of(message("q")), DAY));
    }

    assertThat(
            database.rows(
                "SELECT category, status, COUNT(*) FROM outbox GROUP BY category, status"))
        .containsExactly("event|PENDING|2");
    assertThat(
            database.rows(
                "SELECT category, destination, COUNT(*), MIN(created_at) as oldest FROM outbox"
                    + " WHERE status = 'PENDING' GROUP BY category, destination"))
        .singleElement()
        .asString()
        .startsWith("event|d|2|");
    assertThat(
            database.rows("SELECT * FROM outbox WHERE status = 'FAILED' ORDER BY retry_count DESC"))
        .isEmpty();
  }

  private List<String> view() throws SQLException {
    return database.rows("SELECT type, status, retry_count FROM outbox ORDER BY type");
  }

  private static Message message(String type) {
    return Message.event(type).to("d").key(type).json("{}").build();
  }

  private void append(Message... messages) {
    store.transactions().run(c -> store.append(c, List.of(messages), DAY));
  }

  private LaneLease take() {
    return store.lanes().take(0, "n", Duration.ofMinutes(1)).orElseThrow();
  }
}
