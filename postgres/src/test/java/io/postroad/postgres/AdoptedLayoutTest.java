package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.layout.Layout;
import io.postroad.message.Message;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.ClaimRequest;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.StoredMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each shipped layout on a copy of its table, with rows in every status. */
class AdoptedLayoutTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final ToldSender sender = new ToldSender();

  @SuppressWarnings("NullAway.Init") // every test begins with adopt
  private TestDatabase database;

  @SuppressWarnings("NullAway.Init")
  private PostgresCompetingStore store;

  private void adopt(AdoptedTables table, String rows) throws SQLException {
    adopt(table, table.layout(), rows);
  }

  /** The table with its rows first, then Postroad, as a team does it. */
  private void adopt(AdoptedTables table, Layout layout, String rows) throws SQLException {
    database = TestDatabase.empty("adopt");
    database.execute(table.ddl());
    database.execute(rows);
    store = PostgresCompetingStore.open(database.pool(), options(), layout);
  }

  private PostgresOptions options() {
    return database.options().withPrefix("postroad_").withSchemaMode(SchemaMode.MIGRATE);
  }

  private OutboxRelay relay(Layout layout) {
    return OutboxRelay.builder(store, sender)
        .options(RelayOptions.defaults().withMaxAttempts(layout.executions()).withBreakAfter(0))
        .build();
  }

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  private static final String PAYMENTS =
      """
      INSERT INTO outbox_event (id, aggregate_type, aggregate_id, event_type, topic, partition_key,
        payload, status, retry_count, error_message, created_at, published_at)
      VALUES
        ('6f2a0d3e-0000-4000-8000-000000000001', 'PAYMENT', 'p-1', 'PAYMENT_APPROVED', 'payments',
          'u-1', '"pending"', 'PENDING', 0, NULL, '2026-01-01 10:00:00', NULL),
        ('6f2a0d3e-0000-4000-8000-000000000002', 'PAYMENT', 'p-2', 'PAYMENT_APPROVED', 'payments',
          'u-2', '"tried"', 'PENDING', 2, 'timeout', '2026-01-01 10:00:01', NULL),
        ('6f2a0d3e-0000-4000-8000-000000000003', 'PAYMENT', 'p-3', 'PAYMENT_APPROVED', 'payments',
          'u-3', '"published"', 'PUBLISHED', 0, NULL, '2026-01-01 10:00:02', '2026-01-01 10:00:07'),
        ('6f2a0d3e-0000-4000-8000-000000000004', 'PAYMENT', 'p-4', 'PAYMENT_APPROVED', 'payments',
          'u-4', '"failed"', 'FAILED', 3, 'no such topic', '2026-01-01 10:00:03', NULL),
        ('no-uuid', 'PAYMENT', 'p-5', 'PAYMENT_APPROVED', 'payments',
          'u-5', '"odd id"', 'PENDING', 0, NULL, '2026-01-01 10:00:04', NULL)
      """;

  @Test
  void paymentOutboxDeliversWhatIsPendingAndKeepsTheRest() throws SQLException {
    adopt(AdoptedTables.PAYMENT_OUTBOX, PAYMENTS);

    relay(AdoptedTables.PAYMENT_OUTBOX.layout()).drain();

    assertThat(sender.payloads()).containsExactly("\"pending\"", "\"tried\"", "\"odd id\"");
    Message first = sender.sent().get(0);
    assertThat(first.id()).isEqualTo(UUID.fromString("6f2a0d3e-0000-4000-8000-000000000001"));
    assertThat(first.type()).isEqualTo("PAYMENT_APPROVED");
    assertThat(first.destination()).isEqualTo("payments");
    assertThat(first.key()).contains("u-1");
    assertThat(first.aggregateType()).contains("PAYMENT");
    assertThat(
            database.rows(
                "SELECT payload, status, retry_count FROM outbox_event ORDER BY created_at"))
        .containsExactly(
            "\"pending\"|PUBLISHED|0",
            "\"tried\"|PUBLISHED|2",
            "\"published\"|PUBLISHED|0",
            "\"failed\"|FAILED|3",
            "\"odd id\"|PUBLISHED|0");
    assertThat(database.value("SELECT count(*) FROM outbox_event WHERE published_at IS NULL"))
        .isEqualTo("1");
    List<DeadLetter> dead = store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10);
    assertThat(dead).hasSize(1);
    assertThat(dead.get(0).error()).isEqualTo("no such topic");
    assertThat(dead.get(0).attempts()).isEqualTo(3);
    assertThat(dead.get(0).appendedAt()).isEqualTo(Instant.parse("2026-01-01T10:00:03Z"));
  }

  @Test
  void paymentOutboxIsDeadAfterThreeExecutions() throws SQLException {
    adopt(AdoptedTables.PAYMENT_OUTBOX, PAYMENTS.replace("'PENDING', 2", "'PENDING', 0"));
    sender.answer(SendOutcome.Rejected.forNow("down"));

    for (int i = 0; i < 6; i++) {
      relay(AdoptedTables.PAYMENT_OUTBOX.layout()).drain();
      database.advance(LONG);
    }

    assertThat(sender.payloads()).filteredOn("\"pending\""::equals).hasSize(3);
    assertThat(
            database.value(
                "SELECT status || retry_count || error_message FROM outbox_event WHERE payload ="
                    + " '\"pending\"'"))
        .isEqualTo("FAILED3down");
  }

  @Test
  void aRetryWaitsInTheTableAndKeepsItsDueTimeAcrossNodes() throws SQLException {
    adopt(AdoptedTables.PAYMENT_OUTBOX, PAYMENTS);
    sender.answer(SendOutcome.Rejected.forNow("down"));
    relay(AdoptedTables.PAYMENT_OUTBOX.layout()).drain();
    store.close();
    store =
        PostgresCompetingStore.open(
            database.pool(), options(), AdoptedTables.PAYMENT_OUTBOX.layout());
    sender.answer(new SendOutcome.Accepted(Map.of()));
    int before = sender.sent().size();

    relay(AdoptedTables.PAYMENT_OUTBOX.layout()).drain();
    assertThat(sender.sent()).as("not due yet").hasSize(before);

    database.advance(LONG);
    relay(AdoptedTables.PAYMENT_OUTBOX.layout()).drain();
    assertThat(sender.payloads().subList(before, sender.sent().size()))
        .containsExactlyInAnyOrder("\"pending\"", "\"odd id\"");
  }

  @Test
  void aSessionTimeZoneChangesNothing() throws SQLException {
    adopt(AdoptedTables.PAYMENT_OUTBOX, PAYMENTS);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setConnectionInitSql("SET TIME ZONE 'Asia/Tokyo'");
    try (HikariDataSource tokyo = new HikariDataSource(config);
        PostgresCompetingStore there =
            PostgresCompetingStore.open(tokyo, options(), AdoptedTables.PAYMENT_OUTBOX.layout())) {
      Message later =
          Message.event("Later")
              .to("payments")
              .notBefore(store.now().plus(Duration.ofMinutes(30)))
              .json("\"later\"")
              .build();
      there.transactions().run(unit -> there.append(unit, List.of(later), LONG));
      OutboxRelay relay = OutboxRelay.builder(there, sender).build();

      relay.drain();

      assertThat(sender.payloads()).containsExactly("\"pending\"", "\"tried\"", "\"odd id\"");
      StoredMessage stored = store.find(later.id()).orElseThrow();
      assertThat(stored.dueAt()).isEqualTo(later.notBefore().orElseThrow());
      assertThat(Duration.between(stored.appendedAt(), store.now()).abs())
          .isLessThan(Duration.ofMinutes(10));
      assertThat(there.backlog().dead()).isEqualTo(1);
      database.advance(Duration.ofMinutes(29));
      relay.drain();
      assertThat(sender.sent()).hasSize(3);
      database.advance(Duration.ofMinutes(2));
      relay.drain();
      assertThat(sender.payloads()).hasSize(4).endsWith("\"later\"");
      assertThat(
              there
                  .deadLetters()
                  .list(DeadLetterFilter.all(), Optional.empty(), 10)
                  .get(0)
                  .diedAt())
          .isEqualTo(Instant.parse("2026-01-01T10:00:03Z"));
    }
  }

  private static final String DEALS =
      """
      INSERT INTO outbox (deal_id, idempotency_key, topic, partition_key, payload, status,
        retry_count, created_at, processed_at)
      VALUES
        ('d-1', 'k-1', 'deals', 'd-1', '"pending"', 'PENDING', 0, now() - INTERVAL '1 h', NULL),
        ('d-2', 'k-2', 'deals', 'd-2', '"processing"', 'PROCESSING', 0, now() - INTERVAL '1 h', NULL),
        ('d-3', 'k-3', 'deals', 'd-3', '"delivered"', 'DELIVERED', 0, now() - INTERVAL '1 h', now()),
        ('d-4', 'k-4', 'deals', 'd-4', '"failed"', 'FAILED', 3, now() - INTERVAL '1 h', NULL)
      """;

  @Test
  void advertMarketDeliversWhatIsPendingAndLeavesAnOthersClaim() throws SQLException {
    adopt(AdoptedTables.ADVERT_MARKET, DEALS);

    relay(AdoptedTables.ADVERT_MARKET.layout()).drain();

    assertThat(sender.payloads()).containsExactly("\"pending\"");
    assertThat(sender.sent().get(0).aggregateType()).contains("deal");
    assertThat(sender.sent().get(0).type()).isEqualTo("deals");
    assertThat(database.rows("SELECT payload, status FROM outbox ORDER BY id"))
        .containsExactly(
            "\"pending\"|DELIVERED",
            "\"processing\"|PROCESSING",
            "\"delivered\"|DELIVERED",
            "\"failed\"|FAILED");
    assertThat(store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10))
        .extracting(letter -> letter.message().payload().text())
        .containsExactly(Optional.of("\"failed\""));
  }

  /** "PROCESSING TTL recovery (stuck claims after crash)". */
  @Test
  void advertMarketGapProcessingTtlRecovery() throws SQLException {
    adopt(AdoptedTables.ADVERT_MARKET, DEALS);
    OutboxRelay relay = relay(AdoptedTables.ADVERT_MARKET.layout());
    relay.drain();

    database.advance(Duration.ofMinutes(4));
    relay.drain();
    assertThat(sender.payloads()).containsExactly("\"pending\"");

    database.advance(Duration.ofMinutes(2));
    relay.drain();
    assertThat(sender.payloads()).containsExactly("\"pending\"", "\"processing\"");
  }

  /** "Exponential backoff timing (initialBackoff, 2x, 4x)". */
  @Test
  void advertMarketGapExponentialBackoff() throws SQLException {
    adopt(AdoptedTables.ADVERT_MARKET, DEALS);
    sender.answer(SendOutcome.Rejected.forNow("down"));
    OutboxRelay relay =
        OutboxRelay.builder(store, sender)
            .options(
                RelayOptions.defaults()
                    .withMaxAttempts(3)
                    .withBreakAfter(0)
                    .withBackoff(new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0)))
            .build();

    relay.drain();
    assertThat(due()).isEqualTo(1_000);
    database.advance(Duration.ofSeconds(1));
    relay.drain();
    assertThat(due()).isEqualTo(2_000);
    database.advance(Duration.ofSeconds(2));
    relay.drain();

    assertThat(sender.sent()).as("three executions").hasSize(3);
    assertThat(database.value("SELECT status || retry_count FROM outbox WHERE id = 1"))
        .isEqualTo("FAILED3");
  }

  /** Milliseconds from the failure until the row is due, rounded to seconds. */
  private long due() throws SQLException {
    return Math.round(
            Double.parseDouble(
                database.value(
                    "SELECT extract(epoch FROM postroad_due_at - public.test_now()) FROM outbox"
                        + " WHERE id = 1")))
        * 1_000;
  }

  /** "Delivered-record cleanup job (7-day retention)". */
  @Test
  void advertMarketGapCleanupOfDeliveredRecords() throws SQLException {
    adopt(AdoptedTables.ADVERT_MARKET, DEALS);
    assertThat(store.purge(Duration.ofDays(7), 100).messages()).isZero();

    database.advance(Duration.ofDays(8));

    assertThat(store.purge(Duration.ofDays(7), 100).messages()).isEqualTo(1);
    assertThat(database.rows("SELECT payload FROM outbox ORDER BY id"))
        .containsExactly("\"pending\"", "\"processing\"", "\"failed\"");
  }

  /** "Poll duration metric (outbox.poll.duration)". */
  @Test
  void advertMarketGapPollDuration() throws SQLException {
    adopt(AdoptedTables.ADVERT_MARKET, DEALS);
    List<OutboxSignal.Polled> polls = new ArrayList<>();
    OutboxRelay relay =
        OutboxRelay.builder(store, sender)
            .observer(
                signal -> {
                  if (signal instanceof OutboxSignal.Polled polled) {
                    polls.add(polled);
                  }
                })
            .build();

    relay.runOnce();

    assertThat(polls).hasSize(1);
    assertThat(polls.get(0).claimed()).isEqualTo(1);
    assertThat(polls.get(0).took()).isPositive();
  }

  /** "Distributed lock around poller instance". */
  @Test
  void advertMarketGapDistributedLock() throws SQLException {
    Layout exclusive = AdoptedTables.ADVERT_MARKET.layout().withExclusive(true);
    adopt(AdoptedTables.ADVERT_MARKET, exclusive, DEALS);
    try (PostgresCompetingStore other =
        PostgresCompetingStore.open(database.pool(), options(), exclusive)) {
      OutboxRelay second =
          OutboxRelay.builder(other, sender)
              .options(RelayOptions.defaults().withName("second"))
              .build();
      relay(exclusive).drain();
      append(other, "\"new\"");
      database.advance(Duration.ofSeconds(2));

      second.drain();
      assertThat(sender.payloads()).as("the first holds the lease").containsExactly("\"pending\"");

      store.close();
      second.drain();
      assertThat(sender.payloads()).containsExactly("\"pending\"", "\"new\"");
    }
  }

  /** As in containers, where every process has the id 1: names do not decide. */
  @Test
  void twoNodesOfOneNameDoNotBothHoldTheExclusiveLease() throws SQLException {
    Layout exclusive = AdoptedTables.ADVERT_MARKET.layout().withExclusive(true);
    adopt(AdoptedTables.ADVERT_MARKET, exclusive, DEALS);
    ClaimRequest request = new ClaimRequest("relay-1", 1, Duration.ofMinutes(1));
    try (PostgresCompetingStore one =
            PostgresCompetingStore.open(database.pool(), options(), exclusive);
        PostgresCompetingStore other =
            PostgresCompetingStore.open(database.pool(), options(), exclusive)) {
      append(one, "\"new\"");
      append(one, "\"newer\"");
      database.advance(Duration.ofSeconds(2));

      assertThat(one.claim(request)).hasSize(1);
      assertThat(other.claim(request)).as("another holds the lease").isEmpty();
      assertThat(one.claim(request)).as("and keeps it").hasSize(1);

      database.advance(Duration.ofMinutes(2));
      assertThat(other.claim(request)).as("the lease has ended").hasSize(1);
      assertThat(one.claim(request)).as("and is the other's now").isEmpty();
    }
  }

  /** The filter {@code created_at < now() - 1 second}. */
  @Test
  void advertMarketLeavesWhatIsYoungerThanASecond() throws SQLException {
    adopt(AdoptedTables.ADVERT_MARKET, DEALS);
    relay(AdoptedTables.ADVERT_MARKET.layout()).drain();
    append(store, "\"young\"");
    database.execute(
        "UPDATE outbox SET created_at = public.test_now() WHERE payload = '\"young\"'");
    database.execute("UPDATE test_clock SET ahead = ahead - INTERVAL '10 s'");

    relay(AdoptedTables.ADVERT_MARKET.layout()).drain();
    assertThat(sender.payloads()).containsExactly("\"pending\"");

    database.advance(Duration.ofSeconds(20));
    relay(AdoptedTables.ADVERT_MARKET.layout()).drain();
    assertThat(sender.payloads()).containsExactly("\"pending\"", "\"young\"");
  }

  private static void append(PostgresCompetingStore store, String payload) {
    Message message = Message.event("DealClosed").to("deals").json(payload).build();
    store.transactions().run(unit -> store.append(unit, List.of(message), LONG));
  }

  private static final String GUIDE =
      """
      INSERT INTO outbox (outbox_id, category, destination, payload, status, retry_count)
      VALUES
        (gen_random_uuid(), 'command', 'APP.CMD', '"pending"', 'PENDING', 0),
        (gen_random_uuid(), 'reply', 'APP.REPLY', '"dispatched"', 'DISPATCHED', 0),
        (gen_random_uuid(), 'event', 'events', '"failed"', 'FAILED', 4)
      """;

  @Test
  void messagingPlatformRunsOnTheTableOfTheGuide() throws SQLException {
    adopt(AdoptedTables.MESSAGING_PLATFORM, GUIDE);

    relay(AdoptedTables.MESSAGING_PLATFORM.layout()).drain();

    assertThat(sender.payloads()).containsExactly("\"pending\"");
    assertThat(sender.sent().get(0).category().wireName()).isEqualTo("command");
    assertThat(
            database.rows(
                "SELECT category, status, COUNT(*) FROM outbox GROUP BY category, status ORDER BY 1"))
        .containsExactly("command|DISPATCHED|1", "event|FAILED|1", "reply|DISPATCHED|1");
    assertThat(store.backlog().dead()).isEqualTo(1);
  }

  @Test
  void messagingPlatformIsDeadAfterItsRetriesAndOneMore() throws SQLException {
    adopt(AdoptedTables.MESSAGING_PLATFORM, GUIDE);
    sender.answer(SendOutcome.Rejected.forNow("down"));

    for (int i = 0; i < 7; i++) {
      relay(AdoptedTables.MESSAGING_PLATFORM.layout()).drain();
      database.advance(LONG);
    }

    assertThat(sender.sent()).as("three retries and the first").hasSize(4);
    assertThat(database.value("SELECT count(*) FROM outbox WHERE status = 'FAILED'"))
        .isEqualTo("2");
  }

  private static final String ROUTED =
      """
      INSERT INTO outboxevent (id, aggregatetype, aggregateid, type, payload)
      VALUES (gen_random_uuid(), 'order', 'o-1', 'OrderPlaced', '{"n": 1}')
      """;

  @Test
  void debeziumsRowsAreDeliveredToItsTopics() throws SQLException {
    adopt(AdoptedTables.DEBEZIUM, ROUTED);
    database.execute(ROUTED);

    relay(AdoptedTables.DEBEZIUM.layout()).drain();

    assertThat(sender.sent())
        .extracting(Message::destination)
        .containsExactly("outbox.event.order", "outbox.event.order");
    assertThat(sender.sent().get(0).key()).contains("o-1");
    assertThat(sender.sent().get(0).type()).isEqualTo("OrderPlaced");
    assertThat(sender.payloads()).containsOnly("{\"n\": 1}");
    assertThat(database.rows("SELECT DISTINCT postroad_status FROM outboxevent"))
        .containsExactly("DISPATCHED");
  }

  @Test
  void debeziumsEarlierRowsCanCountAsDelivered() throws SQLException {
    Layout layout = AdoptedTables.DEBEZIUM.layout().withRowsAreDelivered(true);
    adopt(AdoptedTables.DEBEZIUM, layout, ROUTED);
    database.execute(ROUTED.replace("o-1", "o-2"));

    relay(layout).drain();

    assertThat(sender.sent()).extracting(Message::key).containsExactly(Optional.of("o-2"));
  }

  @Test
  void debeziumsTableTakesNewMessages() throws SQLException {
    adopt(AdoptedTables.DEBEZIUM, ROUTED);
    Message message =
        Message.event("OrderPlaced")
            .to("elsewhere")
            .aggregate("order", "o-9")
            .header("a", "b")
            .json("{\"n\": 9}")
            .build();
    store.transactions().run(unit -> store.append(unit, List.of(message), LONG));

    assertThat(store.find(message.id()).orElseThrow().message()).isEqualTo(message);
  }
}
