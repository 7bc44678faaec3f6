package io.postroad.example.market.shared.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.example.market.RecordingSender;
import io.postroad.example.market.Settings;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import io.postroad.test.InMemoryCompetingStore;
import io.postroad.test.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Entries with the settings of the application, without servers. */
class OutboxPollerTest {
  private static final SendOutcome REFUSED = SendOutcome.Rejected.forNow("refused by the test");

  private final ManualClock clock = ManualClock.startingNow();
  private final InMemoryCompetingStore store = new InMemoryCompetingStore(clock);
  private final RecordingSender sender = new RecordingSender();
  private final List<Duration> waits = new ArrayList<>();

  @Test
  void aPublishedEntryIsDelivered() {
    Message entry = append("d-1:1");

    RelayPass pass = relay(Map.of()).runOnce();

    assertThat(pass.delivered()).isEqualTo(1);
    assertThat(sender.keys()).containsExactly("d-1:1");
    assertThat(find(entry).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void aPollWithoutEntriesPublishesNothing() {
    assertThat(relay(Map.of()).runOnce().claimed()).isZero();
    assertThat(sender.sent()).isEmpty();
  }

  @Test
  void onePollTakesABatch() {
    for (int i = 0; i < 60; i++) {
      append("d-1:" + i);
    }

    OutboxRelay relay = relay(Map.of());

    assertThat(relay.runOnce().claimed()).isEqualTo(50);
    assertThat(relay.runOnce().claimed()).isEqualTo(10);
  }

  @Test
  void anEntryIsFailedAfterThreeAttempts() {
    sender.answer(REFUSED);
    Message entry = append("d-1:1");
    OutboxRelay relay = relay(Map.of());

    assertThat(relay.runOnce().retried()).isEqualTo(1);
    assertThat(find(entry).status()).isEqualTo(MessageStatus.PENDING);
    clock.advance(Duration.ofSeconds(1));
    assertThat(relay.runOnce().retried()).isEqualTo(1);
    clock.advance(Duration.ofSeconds(2));
    assertThat(relay.runOnce().dead()).isEqualTo(1);

    assertThat(find(entry).status()).isEqualTo(MessageStatus.FAILED);
    clock.advance(Duration.ofDays(1));
    assertThat(relay.runOnce().claimed()).as("it is not tried again").isZero();
    assertThat(sender.sent()).hasSize(3);
  }

  @Test
  void eachWaitIsTwiceTheOneBefore() {
    sender.answer(REFUSED);
    append("d-1:1");
    OutboxRelay relay = relay(Map.of("app.outbox.max-retries", 4));

    relay.runOnce();
    for (int seconds : new int[] {1, 2, 4}) {
      clock.advance(Duration.ofSeconds(seconds).minusMillis(1));
      assertThat(relay.runOnce().claimed()).as("before %d s are over", seconds).isZero();
      clock.advance(Duration.ofMillis(1));
      assertThat(relay.runOnce().claimed()).as("after %d s", seconds).isEqualTo(1);
    }

    assertThat(waits)
        .containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4));
    assertThat(sender.sent()).hasSize(4);
  }

  /** A timeout does not count as an attempt of the entry. */
  @Test
  void noAttemptIsCountedWhileTheBrokerIsUnreachable() {
    Message entry = append("d-1:1");
    OutboxRelay relay = relay(Map.of());
    sender.answer(new SendOutcome.Unknown("time-out"));
    for (int i = 0; i < 4; i++) {
      relay.runOnce();
      clock.advance(Duration.ofHours(1));
    }
    assertThat(sender.sent()).as("more attempts than an entry has").hasSize(4);
    assertThat(find(entry).status()).isEqualTo(MessageStatus.PENDING);

    sender.answer(new SendOutcome.Accepted(Map.of()));
    relay.drain();

    assertThat(find(entry).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void aPublishedEntryHasItsIdAndItsIdempotencyKey() {
    Message entry = append("d-1:1");

    relay(Map.of()).runOnce();

    Message published = sender.sent().get(0);
    assertThat(published.id()).isEqualTo(entry.id());
    assertThat(published.headers()).containsEntry("idempotency-key", "d-1:1");
  }

  @Test
  void oneEntryCanBePublishedByItself() {
    Message entry = Message.event("DealCreated").to("deal.events").json("{}").build();

    SendOutcome outcome = new OutboxPublisher(sender).publish(entry).toCompletableFuture().join();

    assertThat(outcome).isInstanceOf(SendOutcome.Accepted.class);
    assertThat(sender.sent()).containsExactly(entry);
  }

  /**
   * Checks that the sessions of the sender are used, and not slower ones of the publisher without a
   * lane.
   */
  @Test
  void sessionsOfTheSenderAreUsedWithTheIdempotencyKeys() {
    Message entry =
        Message.event("DealCreated").to("deal.events").deduplicationKey("d-1:1").json("{}").build();
    OutboxPublisher publisher = new OutboxPublisher(sender);

    try (SendSession any = publisher.openSession();
        SendSession lane = publisher.openSession("lane-0")) {
      assertThat(any.send(List.of(entry))).hasSize(1);
      assertThat(lane.send(List.of(entry))).hasSize(1);
    }

    assertThat(sender.lanes()).containsExactly("", "lane-0");
    assertThat(sender.sent())
        .extracting(each -> each.headers().get("idempotency-key"))
        .containsExactly("d-1:1", "d-1:1");
  }

  @Test
  void pollWakesTheRelays() {
    AtomicInteger looks = new AtomicInteger();
    try (var unused = store.wakeUps().subscribe(looks::incrementAndGet)) {
      new OutboxPoller(store).poll();
    }
    assertThat(looks).hasValue(1);
  }

  private Message append(String key) {
    Message entry =
        Message.event("DealCreated")
            .to("deal.events")
            .key("d-1")
            .deduplicationKey(key)
            .json("{}")
            .build();
    store.transactions().run(unit -> store.append(unit, List.of(entry), Duration.ofDays(7)));
    return entry;
  }

  private StoredMessage find(Message entry) {
    return store.find(entry.id()).orElseThrow();
  }

  private OutboxRelay relay(Map<String, Object> given) {
    return OutboxRelay.builder(store, new OutboxPublisher(sender))
        .options(Settings.of(given).relayOptions("unit"))
        .observer(
            signal -> {
              if (signal instanceof OutboxSignal.RetryScheduled retry) {
                waits.add(retry.delay());
              }
            })
        .build();
  }
}
