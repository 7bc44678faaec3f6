package io.postroad.postgres.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.TestDatabase;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.BlockedDestination;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is PostgreSQL's own about messages of the queue that are set aside. */
@Timeout(120)
class BlockedQueueTest {
  private static final ClaimRequest TEN = new ClaimRequest("node", 10, Duration.ofMinutes(1));

  private TestDatabase database;
  private PostgresCompetingStore store;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.migrated("queue_aside");
    store = database.open();
  }

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  @Test
  void whatSomeoneMadeDueByHandIsNotOpenedWhileItIsClaimed() throws Exception {
    setAside("d");
    database.update("UPDATE outbox_queue SET available_at = now()");
    List<Claim> claims = store.claim(TEN);
    assertThat(claims).hasSize(1);

    assertThat(store.open("d", 10)).isZero();

    assertThat(store.claim(TEN)).isEmpty();
    assertThat(store.settle(List.of(new Settlement.Delivered(claims.get(0))))).isEmpty();
  }

  @Test
  void whatSomeoneElseIsOpeningIsNotWaitedFor() throws Exception {
    setAside("d", "d", "d");
    try (Connection elsewhere = database.pool().getConnection();
        Statement opening = elsewhere.createStatement()) {
      elsewhere.setAutoCommit(false);
      opening.execute(
          "UPDATE outbox_queue SET aside_at = NULL, available_at = now()"
              + " WHERE outbox_id = (SELECT outbox_id FROM outbox_queue ORDER BY aside_at LIMIT 1)");

      assertThat(store.open("d", 10)).isEqualTo(2);

      elsewhere.rollback();
    }
    assertThat(store.open("d", 10)).isEqualTo(1);
  }

  @Test
  void destinationsAreInTheOrderOfTheirNamesWhateverTheDatabaseSortsBy() throws Exception {
    setAside("b", "Z", "a.b", "aB", "a-1", "ab");

    assertThat(store.blocked())
        .extracting(BlockedDestination::destination)
        .containsExactly("Z", "a-1", "a.b", "aB", "ab", "b");
    assertThat(store.blockedDestinations()).hasSize(6);
  }

  @Test
  void theViewSaysThatTheyAreNotDue() throws Exception {
    setAside("d");

    assertThat(database.rows("SELECT status, due_at AT TIME ZONE 'UTC', last_error FROM outbox"))
        .containsExactly("PENDING|9999-01-01 00:00:00|down");
  }

  private void setAside(String... destinations) throws Exception {
    List<Message> messages =
        Stream.of(destinations).map(to -> Message.event("T").to(to).json("{}").build()).toList();
    store.transactions().call(tx -> store.append(tx, messages, Duration.ofDays(1)));
    List<Settlement> aside =
        store.claim(TEN).stream()
            .<Settlement>map(claim -> new Settlement.Blocked(claim, "down"))
            .toList();
    assertThat(store.settle(aside)).isEmpty();
  }
}
