package io.postroad.internal.relay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.RelayParts;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import io.postroad.test.InMemoryCompetingStore;
import io.postroad.test.InMemoryTransaction;
import io.postroad.test.ManualClock;
import io.postroad.trace.Tracing;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a relay does when time passes at an awkward moment: between claim, send, answer, settle. */
class QueueCycleTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  private static final Duration LEASE = Duration.ofSeconds(20);
  private static final SendOutcome ACCEPTED = new SendOutcome.Accepted(Map.of());

  private final ManualClock clock = ManualClock.startingNow();
  private final InMemoryCompetingStore store = new InMemoryCompetingStore(clock);
  private final AtomicLong nanos = new AtomicLong();
  private final List<OutboxSignal> signals = new ArrayList<>();
  private final HoldingSender sender = new HoldingSender();
  private Duration pauseAfterClaim = Duration.ZERO;

  private final QueueCycle cycle = cycle(LEASE);

  private QueueCycle cycle(Duration lease) {
    return cycle(lease, store);
  }

  private QueueCycle cycle(Duration lease, CompetingStore<?> store) {
    RelayOptions options = RelayOptions.defaults().withName("node-1").withLeaseFor(lease);
    RelayParts parts =
        RelayParts.of(sender, options, this::hear, Thread::new, nanos::get, Tracing.none());
    return new QueueCycle(store, parts, new Waiter());
  }

  private void hear(OutboxSignal signal) {
    signals.add(signal);
    if (signal instanceof OutboxSignal.Polled) {
      pass(pauseAfterClaim);
    }
  }

  /** Both clocks move, as they do while a process is frozen. */
  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    clock.advance(time);
  }

  private Message append() {
    Message message = Message.event("OrderPlaced").to("orders").json("{}").build();
    try (InMemoryTransaction transaction = store.begin()) {
      Outbox.over(store).append(transaction, message);
      transaction.commit();
    }
    return message;
  }

  private StoredMessage stored(Message message) {
    return store.find(message.id()).orElseThrow();
  }

  @Test
  void whatWasClaimedTooLongAgoIsNotSentButGivenBack() {
    Message message = append();
    pauseAfterClaim = LEASE.minus(TIMEOUT).plusMillis(1);

    cycle.runPass();
    cycle.settle();

    assertThat(sender.sent).isEmpty();
    assertThat(stored(message).status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored(message).attempts()).isZero();
  }

  @Test
  void aPauseThatLeavesTimeForTheSenderIsNoReasonNotToSend() {
    append();
    pauseAfterClaim = LEASE.minus(TIMEOUT);

    cycle.runPass();

    assertThat(sender.sent).hasSize(1);
  }

  @Test
  void noAnswerWithinTheTimeoutIsUnknownAndBurnsNoAttempt() {
    Message message = append();
    cycle.runPass();
    pass(TIMEOUT);
    assertThat(cycle.settle()).isEqualTo(RelayPass.NOTHING);

    pass(Duration.ofNanos(1));

    assertThat(cycle.settle().released()).isEqualTo(1);
    assertThat(stored(message).attempts()).isZero();
    assertThat(stored(message).lastError().orElseThrow()).contains("no outcome", "PT15S");
  }

  @Test
  void anAnswerAfterTheTimeoutIsDropped() {
    append();
    cycle.runPass();
    pass(TIMEOUT.plusNanos(1));
    cycle.settle();

    sender.sent.get(0).complete(ACCEPTED);

    assertThat(cycle.settle()).isEqualTo(RelayPass.NOTHING);
    assertThat(cycle.unsettled()).isZero();
  }

  @Test
  void aLeaseThatIsHalfOverIsExtendedWhileTheSenderIsAtIt() {
    Message message = append();
    cycle.runPass();
    pass(LEASE.dividedBy(2).plusMillis(1));

    cycle.runPass();

    assertThat(stored(message).dueAt()).isEqualTo(clock.instant().plus(LEASE));
  }

  @Test
  void aLeaseThatWasLostIsNotSettledAndTheFenceIsReported() {
    Message message = append();
    cycle.runPass();
    clock.advance(LEASE.plusMillis(1));
    QueueCycle other = cycle(LEASE);
    other.runPass();
    StoredMessage taken = stored(message);

    sender.sent.get(0).complete(ACCEPTED);

    assertThat(cycle.settle().fenced()).isEqualTo(1);
    assertThat(stored(message)).isEqualTo(taken);
    assertThat(signals).anyMatch(OutboxSignal.FenceRejected.class::isInstance);
    assertThat(signals).anyMatch(OutboxSignal.LeaseExpired.class::isInstance);
  }

  @Test
  void anExtensionThatComesTooLateGivesTheMessageUp() {
    append();
    cycle.runPass();
    clock.advance(LEASE.plusMillis(1));
    cycle(LEASE).runPass();
    nanos.addAndGet(LEASE.dividedBy(2).plusMillis(1).toNanos());

    cycle.runPass();

    assertThat(cycle.unsettled()).isZero();
    assertThat(signals)
        .anySatisfy(
            signal ->
                assertThat(signal)
                    .isInstanceOfSatisfying(
                        OutboxSignal.FenceRejected.class,
                        rejected -> assertThat(rejected.verb()).isEqualTo("extend")));
  }

  @Test
  void oneOutcomeThatTheStoreRefusesDoesNotHoldUpTheOthers() {
    Message refused = append();
    List<Message> others = List.of(append(), append(), append());
    QueueCycle picky = cycle(LEASE, refusing(refused));
    picky.runPass();
    sender.sent.forEach(stage -> stage.complete(ACCEPTED));

    for (int pass = 0; pass < 8; pass++) {
      try {
        picky.settle();
      } catch (PostroadException again) {
        assertThat(again).hasMessage("refused");
      }
    }

    assertThat(others)
        .allSatisfy(each -> assertThat(stored(each).status()).isEqualTo(MessageStatus.DISPATCHED));
    assertThat(stored(refused).status()).isEqualTo(MessageStatus.PROCESSING);
    assertThat(picky.unsettled()).isEqualTo(1);
  }

  /** The store, but for a settle that has this message in it. */
  private CompetingStore<?> refusing(Message message) {
    return (CompetingStore<?>)
        Proxy.newProxyInstance(
            CompetingStore.class.getClassLoader(),
            new Class<?>[] {CompetingStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("settle")
                  && ((List<?>) arguments[0])
                      .stream()
                          .anyMatch(
                              each -> ((Settlement) each).claim().id().equals(message.id()))) {
                throw new PostroadException("refused");
              }
              return method.invoke(store, arguments);
            });
  }

  @Test
  void aSenderThatThrowsOrAnswersTooFewLeavesTheRestUnknown() {
    Message first = append();
    sender.behaviour = HoldingSender.Behaviour.THROWS;
    cycle.runPass();
    cycle.settle();
    assertThat(stored(first).lastError().orElseThrow()).contains("send failed", "broken");

    Message second = append();
    sender.behaviour = HoldingSender.Behaviour.ANSWERS_NOTHING;
    cycle.runPass();
    cycle.settle();
    assertThat(stored(second).lastError().orElseThrow()).contains("gave no outcome");
    assertThat(stored(second).attempts()).isZero();
  }

  /** Keeps every outcome back until the test completes it. */
  private static final class HoldingSender implements MessageSender {
    enum Behaviour {
      HOLDS,
      THROWS,
      ANSWERS_NOTHING
    }

    private final List<CompletableFuture<SendOutcome>> sent = new ArrayList<>();
    private Behaviour behaviour = Behaviour.HOLDS;

    @Override
    public String name() {
      return "holding";
    }

    @Override
    public Duration timeout() {
      return TIMEOUT;
    }

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      if (behaviour == Behaviour.THROWS) {
        throw new IllegalStateException("broken");
      }
      List<CompletionStage<SendOutcome>> stages = new ArrayList<>();
      for (int i = 0; i < messages.size() && behaviour == Behaviour.HOLDS; i++) {
        CompletableFuture<SendOutcome> stage = new CompletableFuture<>();
        sent.add(stage);
        stages.add(stage);
      }
      return stages;
    }

    @Override
    public void close() {}
  }
}
