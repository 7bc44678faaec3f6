package io.postroad.example.market.integration.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.example.market.KafkaRecords;
import io.postroad.example.market.RecordingSender;
import io.postroad.example.market.Settings;
import io.postroad.example.market.shared.outbox.OutboxPoller;
import io.postroad.example.market.shared.outbox.OutboxPublisher;
import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.servers.KafkaServer;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Entries of the table {@code outbox} with the settings of the application. */
class OutboxPollerIntegrationTest {
  private static final String TOPIC = "deal.events";
  private static final long AT_MOST_SECONDS = 60;
  private static final int TRIES = 10;
  private static final List<String> DELIVERED = List.of("DELIVERED", "DELIVERED");

  private final MarketDatabase database = new MarketDatabase();
  private final RecordingSender sender = new RecordingSender();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private Settings settings = Settings.of(Map.of());

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    database.close();
  }

  @Test
  void aClaimTakesTheOldestEntriesAndNoOtherClaimGetsThem() {
    database.insert(60, TOPIC, "PENDING");
    PostgresCompetingStore store = open();
    PostgresCompetingStore other = open();

    List<Claim> first = store.claim(claimOf("first"));

    assertThat(first).extracting(OutboxPollerIntegrationTest::key).containsExactly(keys(1, 50));
    assertThat(database.column("status"))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 60)
                .mapToObj(n -> n <= 50 ? "PROCESSING" : "PENDING")
                .toList());
    assertThat(other.claim(claimOf("second")))
        .extracting(OutboxPollerIntegrationTest::key)
        .containsExactly(keys(51, 60));
    assertThat(store.claim(claimOf("first"))).isEmpty();
  }

  /**
   * SKIP LOCKED: a claim skips rows that another transaction has locked. A claim that waited would
   * get the row when the server ends that transaction.
   */
  @Test
  void aClaimSkipsLockedRows() throws Exception {
    database.insert(60, TOPIC, "PENDING");
    PostgresCompetingStore store = open();
    try (Connection other = database.connection();
        Statement statement = other.createStatement()) {
      statement.execute("SET idle_in_transaction_session_timeout = '30s'");
      other.setAutoCommit(false);
      statement.execute(
          "SELECT id FROM outbox WHERE CAST(idempotency_key AS int) <= 50 FOR UPDATE");

      assertThat(store.claim(claimOf("node")))
          .extracting(OutboxPollerIntegrationTest::key)
          .containsExactly(keys(51, 60));
      other.rollback();
    }
  }

  /** Another program's insert does not wake the relay. */
  @Test
  void insertedEntriesArePublishedAtTheNextPoll() throws Exception {
    settings = Settings.of(Map.of("app.outbox.poll-interval", "100ms"));
    CountDownLatch looked = new CountDownLatch(1);
    CountDownLatch delivered = new CountDownLatch(1);
    OutboxRelay relay = runningNode(looked, delivered);

    database.insert(1, TOPIC, "PENDING");

    assertThat(delivered.await(AT_MOST_SECONDS, TimeUnit.SECONDS)).isTrue();
    relay.stop();
    assertThat(sender.keys()).containsExactly("1");
  }

  /** The next poll by itself would come after an hour. */
  @Test
  void pollWakesTheRelayOfAnotherNode() throws Exception {
    settings = Settings.of(Map.of("app.outbox.poll-interval", "1h"));
    CountDownLatch looked = new CountDownLatch(1);
    CountDownLatch delivered = new CountDownLatch(1);
    OutboxRelay relay = runningNode(looked, delivered);
    OutboxPoller poller = new OutboxPoller(open());

    database.insert(1, TOPIC, "PENDING");
    // A hint may be lost, for example before the other node listens.
    for (int i = 0; i < AT_MOST_SECONDS && delivered.getCount() > 0; i++) {
      poller.poll();
      var unused = delivered.await(1, TimeUnit.SECONDS);
    }

    assertThat(delivered.getCount()).isZero();
    relay.stop();
    assertThat(sender.keys()).containsExactly("1");
  }

  /** Starts a node and waits until it has polled the empty table. */
  private OutboxRelay runningNode(CountDownLatch looked, CountDownLatch delivered)
      throws InterruptedException {
    OutboxObserver looks = told(OutboxSignal.Polled.class, looked);
    OutboxObserver deliveries = told(OutboxSignal.Delivered.class, delivered);
    OutboxRelay relay =
        node(
            "node",
            sender,
            signal -> {
              looks.on(signal);
              deliveries.on(signal);
            });
    relay.start();
    assertThat(looked.await(AT_MOST_SECONDS, TimeUnit.SECONDS)).isTrue();
    return relay;
  }

  @Test
  void aPublishedEntryIsInKafkaAndDelivered() {
    String topic = "published";
    KafkaServer.shared().createTopic(topic, 1);
    database.insert(2, topic, "PENDING");
    KafkaSender kafka =
        KafkaSender.create(KafkaSenderOptions.of(KafkaServer.shared().bootstrapServers()));
    opened.add(kafka);
    OutboxRelay relay = node("node", new OutboxPublisher(kafka));

    // A slow first answer of the broker does not count as an attempt: the entry is sent again.
    for (int i = 0; i < TRIES && !database.column("status").equals(DELIVERED); i++) {
      relay.drain();
      database.advance(Duration.ofHours(1));
    }

    List<ConsumerRecord<String, String>> records = KafkaRecords.await(topic, "", 2);
    assertThat(records).extracting(ConsumerRecord::key).containsExactly("d-1", "d-2");
    assertThat(records).extracting(ConsumerRecord::value).containsExactly("{\"n\":1}", "{\"n\":2}");
    assertThat(KafkaRecords.header(records.get(0), "idempotency-key")).isEqualTo("1");
    assertThat(database.column("status || retry_count || (processed_at IS NOT NULL)"))
        .containsExactly("DELIVERED0true", "DELIVERED0true");
  }

  @Test
  void anEntryYoungerThanASecondIsNotClaimed() {
    database.insert(1, TOPIC, "PENDING");
    database.jdbc().update("UPDATE outbox SET created_at = test_now()");
    OutboxRelay relay = node("node", sender);

    database.advance(Duration.ofMillis(999));
    relay.drain();
    assertThat(sender.sent()).isEmpty();

    database.advance(Duration.ofMillis(2));
    relay.drain();
    assertThat(sender.keys()).containsExactly("1");
  }

  @Test
  void aRefusedEntryIsPendingAgainUntilItHasFailed() {
    database.insert(1, TOPIC, "PENDING");
    sender.answer(SendOutcome.Rejected.forNow("refused by the test"));
    OutboxRelay relay = node("node", sender);

    relay.drain();
    assertThat(database.column("status || retry_count")).containsExactly("PENDING1");
    database.advance(Duration.ofHours(1));
    relay.drain();
    assertThat(database.column("status || retry_count")).containsExactly("PENDING2");
    database.advance(Duration.ofHours(1));
    relay.drain();

    assertThat(database.column("status || retry_count || (processed_at IS NOT NULL)"))
        .containsExactly("FAILED3true");
    database.advance(Duration.ofHours(1));
    relay.drain();
    assertThat(sender.sent()).hasSize(3);
  }

  @Test
  void theWaitIsOneTwoAndFourTimesTheInitialBackoff() {
    settings = Settings.of(Map.of("app.outbox.max-retries", 4));
    database.insert(1, TOPIC, "PENDING");
    sender.answer(SendOutcome.Rejected.forNow("refused by the test"));
    OutboxRelay relay = node("node", sender);
    relay.drain();

    int sent = 1;
    for (int seconds : new int[] {1, 2, 4}) {
      database.advance(Duration.ofSeconds(seconds).minusMillis(1));
      relay.drain();
      assertThat(sender.sent()).as("before %d s are over", seconds).hasSize(sent);
      database.advance(Duration.ofMillis(1));
      relay.drain();
      sent++;
      assertThat(sender.sent()).as("after %d s", seconds).hasSize(sent);
    }
    assertThat(database.column("status || retry_count")).containsExactly("FAILED4");
  }

  /** A node claims entries and crashes. */
  @Test
  void theClaimsOfACrashedNodeArePublishedAfterTheTtl() {
    database.insert(1, TOPIC, "PENDING");
    assertThat(open().claim(claimOf("crashed"))).hasSize(1);
    OutboxRelay relay = node("node", sender);

    database.advance(Duration.ofSeconds(29));
    relay.drain();
    assertThat(sender.sent()).isEmpty();
    assertThat(database.column("status")).containsExactly("PROCESSING");

    database.advance(Duration.ofSeconds(2));
    relay.drain();
    assertThat(sender.keys()).containsExactly("1");
    assertThat(database.column("status || retry_count"))
        .as("the attempt of the node that crashed counts")
        .containsExactly("DELIVERED1");
  }

  /**
   * The poller of the specification stored no time of its claims, so the TTL begins when Postroad
   * first sees them.
   */
  @Test
  void processingEntriesOfTheFormerPollerArePublishedAfterTheTtl() {
    database.insert(1, TOPIC, "PROCESSING");
    OutboxRelay relay = node("node", sender);
    relay.drain();

    database.advance(Duration.ofSeconds(29));
    relay.drain();
    assertThat(sender.sent()).isEmpty();

    database.advance(Duration.ofSeconds(2));
    relay.drain();
    assertThat(sender.keys()).containsExactly("1");
    assertThat(database.column("status")).containsExactly("DELIVERED");
  }

  @Test
  void onlyDeliveredEntriesAreRemovedAfterAWeek() throws Exception {
    database.insert(3, TOPIC, "DELIVERED");
    database
        .jdbc()
        .update(
            """
            UPDATE outbox SET
              status = CASE idempotency_key WHEN '3' THEN 'FAILED' ELSE status END,
              processed_at = test_now() - CASE idempotency_key WHEN '2' THEN 6 ELSE 8 END * INTERVAL '1 day'
            """);
    CountDownLatch purged = new CountDownLatch(1);

    OutboxRelay relay = node("node", sender, told(OutboxSignal.Purged.class, purged));
    relay.start();
    assertThat(purged.await(AT_MOST_SECONDS, TimeUnit.SECONDS)).isTrue();
    relay.stop();

    assertThat(database.column("idempotency_key || status"))
        .containsExactly("2DELIVERED", "3FAILED");
  }

  /** Each node waits in its first send until the other node sends, so that both have entries. */
  @Test
  void twoLiveNodesNeverPublishTheSameEntry() throws Exception {
    int entries = 1_000;
    database.insert(entries, TOPIC, "PENDING");
    RecordingSender otherSender = new RecordingSender();
    CountDownLatch bothSend = new CountDownLatch(2);
    sender.before(new FirstCall(bothSend));
    otherSender.before(new FirstCall(bothSend));
    CountDownLatch delivered = new CountDownLatch(entries);
    OutboxRelay first = node("first", sender, told(OutboxSignal.Delivered.class, delivered));
    OutboxRelay second = node("second", otherSender, told(OutboxSignal.Delivered.class, delivered));

    first.start();
    second.start();
    assertThat(delivered.await(AT_MOST_SECONDS, TimeUnit.SECONDS)).isTrue();
    first.stop();
    second.stop();

    assertThat(sender.keys()).isNotEmpty();
    assertThat(otherSender.keys()).isNotEmpty();
    List<String> all = new ArrayList<>(sender.keys());
    all.addAll(otherSender.keys());
    assertThat(all).containsExactlyInAnyOrder(keys(1, entries));
    assertThat(database.column("status || retry_count")).containsOnly("DELIVERED0");
  }

  /**
   * The lock of the specification: a lease, which the second node gets when the first one releases
   * it.
   */
  @Test
  void anExclusiveNodePublishesAloneUntilItEnds() {
    settings = Settings.of(Map.of("app.outbox.exclusive", true));
    database.insert(1, TOPIC, "PENDING");
    PostgresCompetingStore store = open();
    OutboxRelay first = node("first", store, sender, OutboxObserver.none());
    RecordingSender otherSender = new RecordingSender();
    OutboxRelay second = node("second", otherSender);
    first.drain();
    database.insert(2, 2, TOPIC, "PENDING");

    second.drain();
    assertThat(otherSender.sent()).as("the first holds the lease").isEmpty();

    store.close();
    second.drain();
    assertThat(sender.keys()).containsExactly("1");
    assertThat(otherSender.keys()).containsExactly("2");
  }

  @Test
  void anExclusiveNodeThatCrashedIsSucceededAfterTheTtl() {
    settings = Settings.of(Map.of("app.outbox.exclusive", true));
    database.insert(1, TOPIC, "PENDING");
    assertThat(open().claim(claimOf("crashed"))).hasSize(1);
    OutboxRelay relay = node("node", sender);

    database.advance(Duration.ofSeconds(29));
    relay.drain();
    assertThat(sender.sent()).isEmpty();

    database.advance(Duration.ofSeconds(2));
    relay.drain();
    assertThat(sender.keys()).containsExactly("1");
  }

  private PostgresCompetingStore open() {
    PostgresCompetingStore store = database.open(settings.outbox());
    opened.add(store);
    return store;
  }

  private OutboxRelay node(String name, MessageSender to) {
    return node(name, to, OutboxObserver.none());
  }

  private OutboxRelay node(String name, MessageSender to, OutboxObserver observer) {
    return node(name, open(), to, observer);
  }

  private OutboxRelay node(
      String name, PostgresCompetingStore store, MessageSender to, OutboxObserver observer) {
    return OutboxRelay.builder(store, to)
        .options(settings.relayOptions(name))
        .observer(observer)
        .build();
  }

  private ClaimRequest claimOf(String node) {
    return new ClaimRequest(node, settings.outbox().batchSize(), settings.outbox().processingTtl());
  }

  private static OutboxObserver told(Class<? extends OutboxSignal> kind, CountDownLatch latch) {
    return signal -> {
      if (kind.isInstance(signal)) {
        latch.countDown();
      }
    };
  }

  private static String key(Claim claim) {
    return claim.message().deduplicationKey().orElse("none");
  }

  private static String[] keys(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(Integer::toString).toArray(String[]::new);
  }

  /** Waits once for the other node. */
  private static final class FirstCall implements Runnable {
    private final CountDownLatch both;
    private boolean called;

    FirstCall(CountDownLatch both) {
      this.both = both;
    }

    @Override
    public synchronized void run() {
      if (called) {
        return;
      }
      called = true;
      both.countDown();
      try {
        assertThat(both.await(AT_MOST_SECONDS, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
