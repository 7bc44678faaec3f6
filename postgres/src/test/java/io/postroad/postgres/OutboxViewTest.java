package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.message.Payload;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The view {@code outbox} is the table of the guide's appendix A, and the guide's queries run. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutboxViewTest {
  private TestDatabase database;

  @BeforeAll
  void fill() throws SQLException {
    database = TestDatabase.migrated("view");
    try (PostgresCompetingStore store = database.open()) {
      Message failed = Message.command("Pay").to("APP.CMD.PAY.Q").json("{\"n\":1}").build();
      Message done = Message.reply("Paid").to("APP.CMD.REPLY.Q").json("{\"n\":2}").build();
      append(store, failed);
      Claim first = claim(store);
      store.settle(List.of(new Settlement.Retry(first, Duration.ZERO, "once")));
      store.settle(List.of(new Settlement.Dead(claim(store), "twice")));
      append(store, done);
      store.settle(List.of(new Settlement.Delivered(claim(store))));
      append(store, Message.event("A").to("events").key("k").header("h", "v").json("{}").build());
      append(
          store,
          Message.event("B")
              .to("events")
              .payload(Payload.bytes(new byte[] {1, 2}, "application/octet-stream"))
              .build());
    }
  }

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void beginsWithTheColumnsOfTheGuideInItsOrder() throws Exception {
    assertThat(
            database.rows(
                "SELECT column_name, data_type FROM information_schema.columns"
                    + " WHERE table_name = 'outbox' ORDER BY ordinal_position LIMIT 7"))
        .containsExactly(
            "outbox_id|uuid",
            "category|text",
            "destination|text",
            "payload|text",
            "status|text",
            "retry_count|integer",
            "created_at|timestamp with time zone");
  }

  /** Section 10.1. */
  @Test
  void theGuidesBacklogQueryRuns() throws Exception {
    String query =
        """
        -- Check outbox backlog
        SELECT category, status, COUNT(*)
        FROM outbox
        GROUP BY category, status;
        """;

    assertThat(database.rows(query))
        .containsExactlyInAnyOrder("command|FAILED|1", "reply|DISPATCHED|1", "event|PENDING|2");
  }

  /** Section 10.2. */
  @Test
  void theGuidesQueryForPendingMessagesRuns() throws Exception {
    String query =
        """
        -- Messages pending dispatch
        SELECT category, destination, COUNT(*), MIN(created_at) as oldest
        FROM outbox
        WHERE status = 'PENDING'
        GROUP BY category, destination;
        """;

    assertThat(database.rows(query)).singleElement().asString().startsWith("event|events|2|");
  }

  /** Section 10.2. */
  @Test
  void theGuidesQueryForFailedMessagesRuns() throws Exception {
    String query =
        """
        -- Failed messages
        SELECT * FROM outbox
        WHERE status = 'FAILED'
        ORDER BY retry_count DESC;
        """;

    assertThat(database.rows(query))
        .singleElement()
        .asString()
        .contains("|command|APP.CMD.PAY.Q|{\"n\":1}|FAILED|2|")
        .contains("|twice|");
  }

  @Test
  void aBinaryPayloadIsInItsOwnColumn() throws Exception {
    assertThat(
            database.rows(
                "SELECT payload IS NULL, encode(payload_bytes, 'hex') FROM outbox"
                    + " WHERE type = 'B'"))
        .containsExactly("t|0102");
  }

  @Test
  void aPendingMessageShowsWhenItIsDueAndItsHeadersAsText() throws Exception {
    assertThat(
            database.rows(
                "SELECT message_key, headers, due_at = created_at, lease_owner, lease_until"
                    + " FROM outbox WHERE type = 'A'"))
        .containsExactly("k|h: v\n|t|null|null");
  }

  private static void append(PostgresCompetingStore store, Message message) {
    store.transactions().run(c -> store.append(c, List.of(message), Duration.ofDays(1)));
  }

  private static Claim claim(PostgresCompetingStore store) {
    return store.claim(new ClaimRequest("node", 1, Duration.ofMinutes(1))).get(0);
  }
}
