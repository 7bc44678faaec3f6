package io.postroad.internal.relay.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.RelayParts;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.WatchedStore;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.ScriptedSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import io.postroad.spi.LaneLease;
import io.postroad.store.Decision;
import io.postroad.test.InMemoryOrderedStore;
import io.postroad.test.InMemoryTransaction;
import io.postroad.test.ManualClock;
import io.postroad.trace.Tracing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Sequences around destinations that are down or paused after which something goes wrong. */
class BlockedDestinationsTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Decision DECISION = new Decision("on-call", "review");

  private final ManualClock clock = ManualClock.startingNow();
  private final InMemoryOrderedStore store = new InMemoryOrderedStore(clock, 1);
  private final AtomicLong nanos = new AtomicLong();
  private long nanosPerReading;
  private final ScriptedSender sender = new ScriptedSender();
  private final Map<String, Message> messages = new HashMap<>();

  private final WatchedStore watched = new WatchedStore();

  private RelayOptions options =
      RelayOptions.defaults().withName("node-1").withLaneLeaseFor(LEASE).withMaxAttempts(3);
  private LaneDeadline deadline = deadline();
  private RelayParts parts = parts();
  private LaneCycle cycle = cycle();

  private LaneDeadline deadline() {
    LaneLease lease = store.lanes().take(0, "node-1", LEASE).orElseThrow();
    return new LaneDeadline(lease, LEASE, nanos.get(), nanos::get);
  }

  private RelayParts parts() {
    return RelayParts.of(
        sender,
        options,
        signal -> {},
        Thread::new,
        () -> nanos.addAndGet(nanosPerReading),
        Tracing.none());
  }

  private LaneCycle cycle() {
    return new LaneCycle(new OwnedLane(watched.over(store), deadline, parts, new Waiter()));
  }

  private void anew(RelayOptions newOptions) {
    options = newOptions;
    deadline = deadline();
    parts = parts();
    cycle = cycle();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    clock.advance(time);
    deadline.renewed(nanos.get());
  }

  /** The first letter is the key. */
  private void append(String destination, String... names) {
    for (String name : names) {
      appendWithKey(destination, name.substring(0, 1), name);
    }
  }

  private void appendWithKey(String destination, String key, String name) {
    Message message = Message.event(name).to(destination).key(key).json("{}").build();
    messages.put(name, message);
    try (InMemoryTransaction transaction = store.begin()) {
      Outbox.over(store).append(transaction, message);
      transaction.commit();
    }
  }

  private Message message(String name) {
    return Objects.requireNonNull(messages.get(name));
  }

  private void settleAll(int passes) {
    for (int i = 0; i < passes; i++) {
      sender.acceptAll();
      pass(Duration.ofMillis(50));
      cycle.runOnce();
    }
    sender.acceptAll();
    cycle.finish();
  }

  /** Everything in flight to this destination is lost track of. */
  private void loseTrackOfAllTo(String destination) {
    for (ScriptedSender.Sent each : List.copyOf(sender.sent)) {
      if (each.message().destination().equals(destination)) {
        each.outcome().complete(new Unknown("timed out"));
      }
    }
  }

  private void acceptAllTo(String destination) {
    for (ScriptedSender.Sent each : List.copyOf(sender.sent)) {
      if (each.message().destination().equals(destination)) {
        each.outcome().complete(new SendOutcome.Accepted(Map.of()));
      }
    }
  }

  private void everyOpenTakesTime() {
    watched.after(
        "open",
        () -> {
          clock.advance(Duration.ofMillis(1));
          everyOpenTakesTime();
        });
  }

  private boolean wasSent(String name) {
    return sender.sentTypes().contains(name);
  }

  /** Reading the clock takes time: between two messages of a key the probe falls due. */
  @Test
  void aFollowerIsNotTheProbeWhileItsForerunnerStays() {
    List<String> line = new ArrayList<>();
    for (int i = 100; i < 160; i++) {
      line.add("a" + i);
    }
    append("down", line.toArray(String[]::new));
    for (int i = 0; i < 5; i++) {
      cycle.runOnce();
      sender.loseTrackOf("a100");
      cycle.runOnce();
      pass(Duration.ofSeconds(6));
    }
    assertThat(parts.breaker().isDown("down")).isTrue();
    int before = sender.sent.size();
    loseTrackOfAllTo("down");
    nanosPerReading = Duration.ofNanos(10_000).toNanos();
    for (int i = 0; i < 20_000; i++) {
      cycle.runOnce();
      if (sender.sent.size() > before) {
        assertThat(sender.sentTypesAfter(before)).startsWith("a100");
        loseTrackOfAllTo("down");
        before = sender.sent.size();
      }
      deadline.renewed(nanos.get());
    }
  }

  /** The database has opened the key, and the answer is lost. */
  @Test
  void aKeyWhoseOpeningGotNoAnswerKeepsItsOrder() {
    store.pauses().pause("d", DECISION);
    append("d", "a1");
    cycle.runOnce();
    settleAll(2);
    store.pauses().resume("d", DECISION);
    watched.after(
        "open",
        () -> {
          throw new IllegalStateException("connection lost after the commit");
        });
    pass(SECOND);
    assertThatThrownBy(() -> cycle.runOnce()).hasMessageContaining("connection lost");

    append("d", "a2");
    settleAll(20);

    assertThat(sender.sentTypes()).containsExactly("a1", "a2");
  }

  /** A person replays an old dead letter of a key that is set aside, just as it is opened. */
  @Test
  void aKeyThatAPersonMadeDueKeepsItsOrderWhenItsDestinationIsOpened() {
    append("d", "a0");
    cycle.runOnce();
    sender.reject("a0", Rejected.forGood("no"));
    settleAll(3);
    store.blockedKeys().skip(List.of(message("a0").id()), DECISION);
    pass(SECOND);
    settleAll(3);
    store.pauses().pause("d", DECISION);
    pass(SECOND);
    cycle.runOnce();
    append("d", "a1", "a2");
    settleAll(3);
    assertThat(store.blocked()).hasSize(1);
    for (int i = 0; i < 10; i++) {
      pass(Duration.ofMillis(310));
      cycle.runOnce();
    }
    store.pauses().resume("d", DECISION);
    append("d", "a3");
    // Between the owner's look at decisions and its open.
    watched.after(
        "decisions", () -> store.deadLetters().replay(List.of(message("a0").id()), DECISION));
    while (watched.isWaitingFor("decisions")) {
      pass(Duration.ofMillis(310));
      cycle.runOnce();
    }
    cycle.runOnce();
    sender.reject("a0", Rejected.forNow("busy"));

    assertThat(sender.sent.stream().filter(each -> !each.outcome().isDone()))
        .as("in flight in another session than a1 and a2")
        .isEmpty();
  }

  /** One parked key in the lane, a relay that is run by its user's scheduler. */
  @Test
  void whatWasSetAsideComesBackInRunOnceModeBesideAParkedKey() {
    Function<Message, SendOutcome> world =
        message ->
            message.destination().equals("parked")
                ? Rejected.forGood("no")
                : new SendOutcome.Accepted(Map.of());
    List<String> arrived = new ArrayList<>();
    try (OutboxRelay relay = relay(world, arrived)) {
      append("parked", "p1");
      store.pauses().pause("d", DECISION);
      append("d", "a1", "b1", "c1");
      relay.runOnce();
      relay.runOnce();
      store.pauses().resume("d", DECISION);

      for (int i = 0; i < 100; i++) {
        clock.advance(SECOND);
        relay.runOnce();
      }
      assertThat(arrived).contains("a1", "b1", "c1");
    }
  }

  /** In run-once mode a silent destination holds up the others behind one batch. */
  @Test
  void othersBehindABatchOfASilentDestinationGoOnInRunOnceMode() {
    Function<Message, SendOutcome> world =
        message ->
            message.destination().equals("silent")
                ? new Unknown("timed out")
                : new SendOutcome.Accepted(Map.of());
    List<String> arrived = new ArrayList<>();
    try (OutboxRelay relay = relay(world, arrived)) {
      for (int i = 0; i < 20; i++) {
        append("silent", "a" + i);
      }
      append("open", "b1");
      for (int i = 0; i < 100; i++) {
        clock.advance(SECOND);
        relay.runOnce();
      }
      assertThat(arrived).contains("b1");
    }
  }

  private OutboxRelay relay(Function<Message, SendOutcome> world, List<String> arrived) {
    deadline.lose();
    store.lanes().release(deadline.lease());
    MessageSender immediate =
        new MessageSender() {
          @Override
          public String name() {
            return "immediate";
          }

          @Override
          public Duration timeout() {
            return Duration.ofSeconds(1);
          }

          @Override
          public List<CompletionStage<SendOutcome>> send(List<Message> all) {
            List<CompletionStage<SendOutcome>> outcomes = new ArrayList<>();
            for (Message message : all) {
              SendOutcome outcome = world.apply(message);
              if (outcome instanceof SendOutcome.Accepted) {
                arrived.add(message.type());
              }
              outcomes.add(CompletableFuture.completedFuture(outcome));
            }
            return outcomes;
          }

          @Override
          public void close() {}
        };
    return OutboxRelay.builder(store, immediate)
        .options(
            RelayOptions.defaults()
                .withBatch(10)
                .withMaxBatch(10)
                .withProbeEvery(Duration.ofNanos(1)))
        .build();
  }

  /** While one destination comes back with a backlog, another one that is open waits. */
  @Test
  void twoOpenDestinationsComeBackSideBySide() {
    anew(options.withBatch(5).withMaxBatch(5));
    store.pauses().pause("x", DECISION);
    store.pauses().pause("y", DECISION);
    for (int i = 0; i < 200; i++) {
      appendWithKey("x", "kx" + i, "x" + i);
    }
    append("y", "y1");
    for (int i = 0; i < 300; i++) {
      pass(Duration.ofMillis(50));
      cycle.runOnce();
    }
    assertThat(sender.sent).isEmpty();
    store.pauses().resume("x", DECISION);
    store.pauses().resume("y", DECISION);
    pass(SECOND);
    for (int i = 0; i < 2000 && !wasSent("y1"); i++) {
      sender.acceptAll();
      pass(Duration.ofMillis(50));
      cycle.runOnce();
    }
    assertThat(sender.sentTypes().indexOf("y1")).as("x sent before y1").isLessThan(50);
  }

  /** A parked key among the messages that stay keeps the lane from looking ahead. */
  @Test
  void othersBehindASilentDestinationGoOnAlsoWhenOneOfItsKeysIsParked() {
    anew(options.withBatch(2).withMaxBatch(2));
    append("silent", "p1");
    cycle.runOnce();
    sender.reject("p1", Rejected.forGood("no"));
    settleAll(3);
    append("silent", "a1", "p2", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1");
    append("open", "z1");
    for (int i = 0; i < 300 && !wasSent("z1"); i++) {
      pass(SECOND);
      cycle.runOnce();
      loseTrackOfAllTo("silent");
      cycle.runOnce();
    }
    assertThat(parts.breaker().isDown("silent")).isTrue();
    assertThat(wasSent("z1")).isTrue();
  }

  /** The same without a parked key, to see that the test can be green. */
  @Test
  void othersBehindASilentDestinationGoOn() {
    anew(options.withBatch(2).withMaxBatch(2));
    append("silent", "a1", "p2", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1");
    append("open", "z1");
    for (int i = 0; i < 300 && !wasSent("z1"); i++) {
      pass(SECOND);
      cycle.runOnce();
      loseTrackOfAllTo("silent");
      cycle.runOnce();
    }
    assertThat(wasSent("z1")).isTrue();
  }

  /** Down by what another lane saw, which this node has given away since. */
  @Test
  void aDestinationThatNobodyTriesAnyMoreIsTriedFromBehind() {
    anew(options.withBatch(2).withMaxBatch(2));
    append("silent", "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1");
    append("well", "z1");
    for (int i = 0; i < 5; i++) {
      parts.breaker().heard(message("z1"), new Unknown("of another lane"));
    }
    for (int i = 0; i < 300 && !wasSent("z1"); i++) {
      pass(SECOND);
      cycle.runOnce();
      loseTrackOfAllTo("silent");
      cycle.runOnce();
    }
    assertThat(wasSent("z1")).isTrue();
  }

  /**
   * (a) Probes of two destinations share a session: the failure of one hides the other's answer.
   */
  @Test
  void aDestinationComesBackWhileAnotherOneIsStillDown() {
    store.pauses().pause("x", DECISION);
    store.pauses().pause("y", DECISION);
    append("x", "a1", "b1");
    append("y", "c1", "d1");
    cycle.runOnce();
    settleAll(3);
    store.pauses().resume("x", DECISION);
    store.pauses().resume("y", DECISION);
    anew(options);
    assertThat(sender.sent).isEmpty();
    everyOpenTakesTime();
    for (int i = 0; i < 1000; i++) {
      pass(Duration.ofMillis(100));
      cycle.runOnce();
      // As a sender does that hands over one after the other, and nothing behind a failure.
      for (ScriptedSender.Sent each : List.copyOf(sender.sent)) {
        each.outcome()
            .complete(
                each.message().destination().equals("x")
                    ? new Unknown("timed out")
                    : new SendOutcome.Accepted(Map.of()));
      }
      cycle.runOnce();
    }
    assertThat(wasSent("c1") || wasSent("d1")).isTrue();
    assertThat(parts.breaker().isDown("y")).as("y is still down").isFalse();
  }

  /** A probe without an answer holds up what comes back of others, for its whole timeout. */
  @Test
  void aProbeThatHangsDoesNotHoldUpAnOpenDestination() {
    assertThat(arrivedAfterAMinute(true)).isEqualTo(200);
  }

  /** The same while x is paused, to see that the test can be green. */
  @Test
  void anOpenDestinationComesBackWithinAMinute() {
    assertThat(arrivedAfterAMinute(false)).isEqualTo(200);
  }

  private long arrivedAfterAMinute(boolean xIsTried) {
    anew(options.withBatch(10).withMaxBatch(20));
    store.pauses().pause("x", DECISION);
    store.pauses().pause("y", DECISION);
    append("x", "a1", "b1");
    for (int i = 0; i < 200; i++) {
      appendWithKey("y", "ky" + i, "y" + i);
    }
    for (int i = 0; i < 200; i++) {
      pass(Duration.ofMillis(50));
      cycle.runOnce();
    }
    store.pauses().resume("y", DECISION);
    for (int i = 0; i < 5; i++) {
      parts.breaker().heard(message("a1"), new Unknown("down"));
    }
    if (xIsTried) {
      store.pauses().resume("x", DECISION);
    }
    for (int i = 0; i < 600; i++) {
      pass(Duration.ofMillis(100));
      cycle.runOnce();
      acceptAllTo("y");
    }
    return sender.sent.stream()
        .filter(each -> each.message().destination().equals("y"))
        .map(each -> each.message().id())
        .distinct()
        .count();
  }

  /** Passes of 25 ms, a steady flow to the destination that came back, and one parked key. */
  @Test
  void aDestinationThatIsOpenComesBackUnderASteadyFlow() {
    append("other", "p1");
    cycle.runOnce();
    sender.reject("p1", Rejected.forGood("no"));
    settleAll(3);
    store.pauses().pause("d", DECISION);
    pass(SECOND);
    cycle.runOnce();
    append("d", "a1");
    settleAll(3);
    store.pauses().resume("d", DECISION);
    pass(SECOND);
    for (int i = 0; i < 4000 && !wasSent("m100"); i++) {
      appendWithKey("d", "k" + i, "m" + i);
      pass(Duration.ofMillis(25));
      cycle.runOnce();
      sender.acceptAll();
    }
    long waiting = store.blocked().stream().mapToLong(each -> each.messages()).sum();
    assertThat(waiting).as("set aside, 100 s after the pause ended").isZero();
  }

  /** A destination that takes one message a second and refuses the others for now. */
  @Test
  void nothingDiesBecauseItsDestinationIsBusyNowAndThen() {
    anew(RelayOptions.defaults().withName("node-1").withLaneLeaseFor(LEASE));
    for (int i = 0; i < 300; i++) {
      appendWithKey("busy", "k" + i, "m" + i);
    }
    int tokens = 1;
    for (int i = 1; i < 20 * 600; i++) {
      pass(Duration.ofMillis(50));
      tokens = i % 20 == 0 ? 1 : tokens;
      cycle.runOnce();
      for (ScriptedSender.Sent each : List.copyOf(sender.sent)) {
        if (!each.outcome().isDone()) {
          each.outcome()
              .complete(
                  tokens-- > 0
                      ? new SendOutcome.Accepted(Map.of())
                      : Rejected.forNow("too many requests"));
        }
      }
    }
    assertThat(store.backlog().dead()).as("dead of 300, after ten minutes").isZero();
  }
}
