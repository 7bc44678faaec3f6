package io.postroad.internal.relay.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.RelayParts;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.WatchedStore;
import io.postroad.outbox.sender.ScriptedSender;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import io.postroad.test.InMemoryOrderedStore;
import io.postroad.test.InMemoryTransaction;
import io.postroad.test.ManualClock;
import io.postroad.trace.Tracing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One lane, step by step: order, prefix, failures, deadlines. */
class LaneCycleTest {
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final ManualClock clock = ManualClock.startingNow();
  private final InMemoryOrderedStore store = new InMemoryOrderedStore(clock, 1);
  private final AtomicLong nanos = new AtomicLong();
  private final List<OutboxSignal> signals = new ArrayList<>();
  private final ScriptedSender sender = new ScriptedSender();
  private final Map<String, Message> messages = new HashMap<>();
  private final WatchedStore watched = new WatchedStore();

  private RelayOptions options =
      RelayOptions.defaults().withName("node-1").withLaneLeaseFor(LEASE).withMaxAttempts(3);

  private LaneDeadline deadline = deadline("node-1");
  private LaneCycle cycle = cycle();

  private LaneDeadline deadline(String node) {
    LaneLease lease = store.lanes().take(0, node, LEASE).orElseThrow();
    return new LaneDeadline(lease, LEASE, nanos.get(), nanos::get);
  }

  private LaneCycle cycle(String node) {
    deadline = deadline(node);
    return cycle();
  }

  private LaneCycle cycle() {
    RelayParts parts =
        RelayParts.of(sender, options, signals::add, Thread::new, nanos::get, Tracing.none());
    return new LaneCycle(new OwnedLane(watched.over(store), deadline, parts, new Waiter()));
  }

  /** The node stands still after the next of these, for as long as its lease. */
  private void standStillAfter(String verb) {
    watched.after(verb, () -> nanos.addAndGet(LEASE.toNanos()));
  }

  /** Both clocks move, and the lease is renewed. */
  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    clock.advance(time);
    deadline.renewed(nanos.get());
  }

  /**
   * Appends one message per name, each in a transaction of its own; the first letter is the key.
   */
  private void append(String... names) {
    for (String name : names) {
      Message message =
          Message.event(name).to("orders").key(name.substring(0, 1)).json("{}").build();
      messages.put(name, message);
      try (InMemoryTransaction transaction = store.begin()) {
        Outbox.over(store).append(transaction, message);
        transaction.commit();
      }
    }
  }

  private StoredMessage stored(String name) {
    return store.find(Objects.requireNonNull(messages.get(name)).id()).orElseThrow();
  }

  private MessageStatus status(String name) {
    return stored(name).status();
  }

  @Test
  void messagesAreHandedOverInOrderAndWrittenDownOnceAccepted() {
    append("a1", "b1", "a2");

    cycle.runOnce();
    assertThat(sender.sentTypes()).containsExactly("a1", "b1", "a2");
    assertThat(status("a1")).isEqualTo(MessageStatus.PENDING);

    sender.acceptAll();
    assertThat(cycle.finish().delivered()).isEqualTo(3);
    assertThat(List.of(status("a1"), status("b1"), status("a2")))
        .containsOnly(MessageStatus.DISPATCHED);
    assertThat(cycle.unsettled()).isZero();
  }

  @Test
  void aFailedAdmissionOfScheduledMessagesDoesNotKeepOthersFromBeingSent() {
    append("a1");
    watched.after(
        "admitDue",
        () -> {
          throw new PostroadException("the transaction is too large");
        });

    cycle.runOnce();

    assertThat(sender.sentTypes()).containsExactly("a1");
    assertThat(signals)
        .anySatisfy(
            signal ->
                assertThat(signal)
                    .isInstanceOfSatisfying(
                        OutboxSignal.StoreFailed.class,
                        failed -> assertThat(failed.error()).contains("too large")));
  }

  @Test
  void onlyWhatHasNothingOpenBeforeItIsWrittenDown() {
    append("a1", "b1", "c1");
    cycle.runOnce();

    sender.accept("a1");
    sender.accept("c1");
    assertThat(cycle.finish().delivered()).isEqualTo(1);
    assertThat(status("c1")).isEqualTo(MessageStatus.PENDING);

    sender.accept("b1");
    assertThat(cycle.finish().delivered()).isEqualTo(2);
  }

  @Test
  void whatWasReadBeforeTheNodeStoodStillIsSentOnlyIfTheLaneIsStillItsOwn() {
    append("a1", "a2");
    standStillAfter("read");

    cycle.runOnce();
    cycle.runOnce();
    assertThat(sender.sentTypes()).isEmpty();

    deadline.renewed(nanos.get());
    cycle.runOnce();
    assertThat(sender.sentTypes()).containsExactly("a1", "a2");
  }

  @Test
  void heldMessagesThatWereTakenBeforeTheNodeStoodStillAreGivenBackUncounted() {
    append("a1");
    cycle.runOnce();
    sender.reject("a1", Rejected.forNow("no"));
    cycle.runOnce();
    cycle.finish();
    pass(Duration.ofSeconds(5));
    standStillAfter("take");

    cycle.runOnce();
    cycle.runOnce();
    assertThat(sender.sentTypesAfter(1)).isEmpty();
    assertThat(stored("a1").attempts()).isEqualTo(1);

    deadline.renewed(nanos.get());
    cycle.runOnce();
    assertThat(sender.sentTypesAfter(1)).containsExactly("a1");
  }

  @Test
  void theNextBatchIsReadAndSentWhileTheLastOneIsInFlight() {
    append("a1");
    cycle.runOnce();
    append("a2");

    cycle.runOnce();

    assertThat(sender.sentTypes()).containsExactly("a1", "a2");
    assertThat(sender.sessions).isEqualTo(1);
  }

  @Test
  void aRejectedMessageAndItsFollowersAreHeldBackWhileOtherKeysGoOn() {
    append("a1", "a2", "b1");
    cycle.runOnce();

    sender.reject("a1", Rejected.forNow("no"));
    cycle.runOnce();
    cycle.runOnce();

    assertThat(sender.sentTypesAfter(3)).containsExactly("b1");
    sender.accept("b1");
    RelayPass pass = cycle.finish();
    assertThat(pass.delivered()).isEqualTo(1);
    assertThat(pass.retried()).isEqualTo(1);
    assertThat(stored("a1").attempts()).isEqualTo(1);
    assertThat(stored("a1").lastError()).contains("no");
    assertThat(stored("a2").attempts()).isZero();

    append("a3");
    cycle.runOnce();
    cycle.finish();
    assertThat(sender.sentTypesAfter(4)).as("a3 waits behind a1").isEmpty();
  }

  @Test
  void heldMessagesComeBackInOrderAndThenTheKeyIsFree() {
    append("a1", "a2");
    cycle.runOnce();
    sender.reject("a1", Rejected.forNow("no"));
    cycle.runOnce();
    cycle.finish();
    append("a3");
    cycle.runOnce();
    cycle.finish();

    pass(Duration.ofSeconds(5));
    cycle.runOnce();
    assertThat(sender.sentTypesAfter(2)).containsExactly("a1", "a2", "a3");
    sender.acceptAll();
    assertThat(cycle.finish().delivered()).isEqualTo(3);

    append("a4");
    cycle.runOnce();
    assertThat(sender.sentTypesAfter(5)).as("not held any more").containsExactly("a4");
    assertThat(signals).anyMatch(OutboxSignal.KeyHeld.class::isInstance);
    assertThat(signals).anyMatch(OutboxSignal.KeyFreed.class::isInstance);
  }

  @Test
  void aMessageThatCanNeverSucceedIsDeadAndParksItsKey() {
    append("a1", "a2", "b1");
    cycle.runOnce();

    sender.reject("a1", Rejected.forGood("too large"));
    cycle.runOnce();
    cycle.runOnce();
    sender.acceptAll();
    cycle.finish();
    pass(Duration.ofHours(1));
    cycle = cycle("node-2");
    cycle.runOnce();

    assertThat(status("a1")).isEqualTo(MessageStatus.FAILED);
    assertThat(status("a2")).isEqualTo(MessageStatus.PENDING);
    assertThat(status("b1")).isEqualTo(MessageStatus.DISPATCHED);
    assertThat(sender.sentTypesAfter(3)).containsExactly("b1");
  }

  @Test
  void whatIsUnknownIsSentAgainInOrderAndBurnsNoAttempt() {
    append("a1", "b1", "a2");
    cycle.runOnce();
    sender.accept("b1");
    sender.loseTrackOf("a1");

    cycle.runOnce();
    pass(Duration.ofSeconds(1));
    cycle.runOnce();

    assertThat(sender.sentTypesAfter(3)).containsExactly("a1", "a2");
    assertThat(sender.sessions).isEqualTo(2);
    sender.acceptAll();
    assertThat(cycle.finish().delivered()).isEqualTo(3);
  }

  @Test
  void aBrokerThatIsAwayIsAskedAgainAtAGrowingPace() {
    append("a1");
    cycle.runOnce();
    sender.loseTrackOf("a1");
    cycle.runOnce();
    assertThat(sender.sent).as("not at once").hasSize(1);

    for (int i = 0; i < 10; i++) {
      pass(Duration.ofSeconds(6));
      cycle.runOnce();
      sender.loseTrackOf("a1");
      cycle.runOnce();
    }

    assertThat(sender.sentTypes()).hasSize(11).containsOnly("a1");
    assertThat(status("a1")).as("never held back, never dead").isEqualTo(MessageStatus.PENDING);
    assertThat(store.blockedMessages().keys(lease())).isEmpty();
  }

  @Test
  void whatStaysUnknownWhileOthersGetAnswersStepsAside() {
    append("a1");
    cycle.runOnce();
    for (int i = 1; i <= 3; i++) {
      append("b" + i);
      cycle.runOnce();
      sender.accept("b" + i);
      sender.loseTrackOf("a1");
      cycle.runOnce();
      pass(Duration.ofSeconds(1));
      cycle.runOnce();
    }
    cycle.finish();

    assertThat(stored("a1").lastError()).contains("timed out");
    assertThat(store.blockedMessages().keys(lease())).hasSize(1);
  }

  @Test
  void whatGetsNoAnswerWhileLaterOnesAreAcceptedBlocksItsKeyAndNoOther() {
    append("a1", "b1", "a2", "c1");
    cycle.runOnce();
    sender.accept("b1");
    sender.accept("c1");

    pass(ScriptedSender.TIMEOUT.plusMillis(1));
    cycle.runOnce();
    append("b2", "a3");
    cycle.runOnce();
    sender.accept("b2");
    cycle.finish();

    assertThat(List.of(status("b1"), status("c1"), status("b2")))
        .containsOnly(MessageStatus.DISPATCHED);
    assertThat(stored("a1").lastError().orElseThrow()).contains("no outcome from sender");
    assertThat(sender.sentTypesAfter(4)).containsExactly("b2");

    for (String next : List.of("a1", "a2", "a3")) {
      pass(Duration.ofSeconds(10));
      cycle.runOnce();
      assertThat(sender.sentTypes()).endsWith(next.equals("a2") ? "a3" : next);
      sender.acceptAll();
      cycle.finish();
    }
    assertThat(stored("a1").attempts()).isEqualTo(1);
  }

  @Test
  void aFullWindowDoesNotWaitForTheTimeoutOfOneMessage() {
    options = options.withBatch(1).withMaxBatch(1);
    cycle = cycle("node-1");
    append("a1");
    for (int i = 1; i <= 20; i++) {
      append("b" + i);
    }
    for (int i = 1; i < options.maxInFlight(); i++) {
      cycle.runOnce();
      cycle.runOnce();
      sender.accept("b" + i);
    }
    cycle.runOnce();
    assertThat(sender.sent).as("no room for more").hasSize(options.maxInFlight());

    pass(ScriptedSender.TIMEOUT.dividedBy(4));
    cycle.runOnce();
    cycle.runOnce();

    assertThat(sender.sentTypes()).contains("b" + options.maxInFlight());
    assertThat(sender.sessions).as("the same session goes on").isEqualTo(1);
    assertThat(status("b1")).isEqualTo(MessageStatus.DISPATCHED);
    assertThat(status("a1")).isEqualTo(MessageStatus.PENDING);
  }

  @Test
  void whatTheSenderCannotReachBlocksItsKeyAtOnceAndTheSessionGoesOn() {
    append("a1", "b1");
    cycle.runOnce();
    sender.cannotReachKeyOf("a1");
    sender.accept("b1");
    cycle.runOnce();
    append("a2", "b2");
    cycle.runOnce();

    assertThat(sender.sentTypesAfter(2)).containsExactly("b2");
    assertThat(sender.sessions).isEqualTo(1);
    sender.accept("b2");
    cycle.finish();

    for (int i = 0; i < 10; i++) {
      pass(Duration.ofSeconds(10));
      cycle.runOnce();
      sender.cannotReachKeyOf("a1");
      cycle.runOnce();
    }
    assertThat(signals).noneMatch(OutboxSignal.DestinationDown.class::isInstance);

    pass(Duration.ofSeconds(10));
    cycle.runOnce();
    sender.accept("a1");
    cycle.runOnce();
    cycle.runOnce();
    sender.accept("a2");
    cycle.runOnce();
    append("a3");
    cycle.runOnce();
    cycle.runOnce();
    assertThat(sender.sentTypes()).as("free again").endsWith("a1", "a2", "a3");
    assertThat(stored("a1").attempts()).isEqualTo(1);
  }

  @Test
  void aDestinationThatSeemsDownIsTriedWithAnotherKeyEachTime() {
    append("a1");
    for (int i = 0; i < 5; i++) {
      cycle.runOnce();
      sender.loseTrackOf("a1");
      cycle.runOnce();
      pass(Duration.ofSeconds(6));
    }
    assertThat(signals).anyMatch(OutboxSignal.DestinationDown.class::isInstance);

    append("a2", "b1");
    cycle.runOnce();
    assertThat(sender.sentTypes()).endsWith("b1");
    sender.accept("b1");
    cycle.runOnce();

    assertThat(signals).anyMatch(OutboxSignal.DestinationUp.class::isInstance);
  }

  /** The lease of the cycle under test, for questions to the store. */
  private LaneLease lease() {
    return store.lanes().take(0, "node-1", LEASE).orElseThrow();
  }

  @Test
  void anOutcomeThatDoesNotComeInTimeIsUnknownAndALateOneIsDropped() {
    append("a1", "a2");
    cycle.runOnce();

    pass(ScriptedSender.TIMEOUT.plusMillis(1));
    cycle.runOnce();
    cycle.runOnce();
    pass(Duration.ofSeconds(1));
    cycle.runOnce();

    assertThat(sender.sentTypesAfter(2)).containsExactly("a1", "a2");
    assertThat(cycle.finish().delivered()).isZero();
    sender.acceptAll();
    assertThat(cycle.finish().delivered()).isEqualTo(2);
  }

  @Test
  void nothingIsHandedOverAfterTheLocalDeadline() {
    append("a1");
    nanos.addAndGet(LEASE.toNanos());

    cycle.runOnce();

    assertThat(sender.sent).isEmpty();
  }

  @Test
  void afterATakeOverNothingIsWrittenAndWhatWasInFlightIsReadAgain() {
    append("a1", "a2");
    cycle.runOnce();
    clock.advance(LEASE.plusMillis(1));
    LaneCycle other = cycle("node-2");

    sender.acceptAll();
    assertThatThrownBy(cycle::finish).isInstanceOf(LaneLostException.class);
    assertThat(status("a1")).isEqualTo(MessageStatus.PENDING);

    other.runOnce();
    assertThat(sender.sentTypesAfter(2)).containsExactly("a1", "a2");
  }

  @Test
  void afterTwoCrashesWithoutProgressEachMessageGoesAloneWithItsAttemptWrittenBefore() {
    append("a1", "b1");
    crashAndTakeOver("node-2");
    crashAndTakeOver("node-3");

    cycle.runOnce();
    assertThat(sender.sent).as("held back first").isEmpty();
    cycle.finish();
    cycle.runOnce();

    assertThat(sender.sentTypes()).containsExactly("a1");
    assertThat(stored("a1").attempts()).as("written before the outcome").isEqualTo(1);
    assertThat(stored("b1").attempts()).isZero();
  }

  @Test
  void theMessageThatKillsItsRelayIsFoundAndNoOtherIsBlamed() {
    append("a1", "b1");
    List<String> nodes = List.of("n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9");
    for (String node : nodes) {
      crashAndTakeOver(node);
      // The relay dies whenever a1 is handed over.
      for (int step = 0; step < 6; step++) {
        int before = sender.sent.size();
        cycle.runOnce();
        if (sender.sentTypesAfter(before).contains("a1")) {
          break;
        }
        sender.acceptAll();
        cycle.finish();
      }
    }
    crashAndTakeOver("survivor");
    pass(ScriptedSender.TIMEOUT.plusMillis(1));
    for (int step = 0; step < 4; step++) {
      cycle.runOnce();
      cycle.finish();
    }

    assertThat(status("a1")).isEqualTo(MessageStatus.FAILED);
    assertThat(status("b1")).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void afterACrashHeldMessagesGoAloneUntilAllThatCouldBeInFlightHaveGone() {
    options = options.withBatch(2).withMaxBatch(2);
    cycle = cycle("node-1");
    int alone = options.maxInFlight();
    List<String> types = IntStream.rangeClosed(1, alone + 3).mapToObj(i -> "a" + i).toList();
    append("a1");
    cycle.runOnce();
    sender.reject("a1", Rejected.forNow("no"));
    append(types.subList(1, types.size()).toArray(String[]::new));
    for (int step = 0; step < alone; step++) {
      cycle.runOnce();
      cycle.finish();
    }
    crashAndTakeOver("node-2");

    List<Integer> handedOver = new ArrayList<>();
    for (int step = 0; step < alone + 3; step++) {
      int before = sender.sent.size();
      cycle.runOnce();
      sender.acceptAll();
      cycle.finish();
      handedOver.add(sender.sent.size() - before);
    }

    List<Integer> expected = new ArrayList<>(Collections.nCopies(alone, 1));
    expected.addAll(List.of(2, 1));
    assertThat(handedOver.stream().filter(count -> count > 0)).containsExactlyElementsOf(expected);
    assertThat(sender.sentTypesAfter(1)).containsExactlyElementsOf(types);
  }

  @Test
  void afterACrashHeldMessagesGoAloneAlsoWhenTheyAreLookedForBeforeTheyAreWrittenDown() {
    append("a1", "b1");
    crashAndTakeOver("node-2");
    crashAndTakeOver("node-3");

    cycle.runOnce();
    cycle.runOnce();
    assertThat(store.blockedMessages().keys(deadline.lease())).as("not written down yet").isEmpty();
    cycle.finish();
    pass(Duration.ofSeconds(1));
    cycle.runOnce();

    assertThat(sender.sentTypes()).containsExactly("a1");
  }

  @Test
  void afterACrashHeldMessagesGoAloneAlsoAfterTheirDestinationWasDown() {
    options = options.withBreakAfter(1).withProbeEvery(Duration.ofSeconds(1));
    append("a1", "b1", "c1", "d1");
    crashAndTakeOver("node-2");
    crashAndTakeOver("node-3");
    cycle.runOnce();
    cycle.finish();
    cycle.runOnce();
    sender.loseTrackOf("a1");
    for (int step = 0; step < 10; step++) {
      cycle.runOnce();
      cycle.finish();
    }
    assertThat(sender.sentTypes()).as("the others are set aside").containsExactly("a1");

    List<Integer> handedOver = new ArrayList<>();
    for (int step = 0; step < 20; step++) {
      int before = sender.sent.size();
      pass(Duration.ofSeconds(1));
      cycle.runOnce();
      sender.acceptAll();
      cycle.finish();
      handedOver.add(sender.sent.size() - before);
    }

    assertThat(handedOver.stream().filter(count -> count > 0)).containsExactly(1, 1, 1, 1);
    assertThat(sender.sentTypesAfter(1)).containsExactlyInAnyOrder("a1", "b1", "c1", "d1");
  }

  /** The old owner is never heard of again. */
  private void crashAndTakeOver(String node) {
    pass(LEASE.plusMillis(1));
    cycle = cycle(node);
  }

  @Test
  void noKeyIsParkedWhileACrashedOwnersSendsMayStillArrive() {
    append("a1", "a2");
    crashAndTakeOver("node-2");
    cycle.runOnce();

    sender.reject("a1", Rejected.forGood("too large"));
    cycle.runOnce();
    cycle.finish();

    assertThat(status("a1")).isEqualTo(MessageStatus.PENDING);
    pass(ScriptedSender.TIMEOUT.plusMillis(1));
    cycle.runOnce();
    sender.reject("a1", Rejected.forGood("too large"));
    cycle.finish();
    assertThat(status("a1")).isEqualTo(MessageStatus.FAILED);
  }

  @Test
  void allThatIsDueIsAdmittedByOneSweepABatchPerPassBetweenReads() {
    options = options.withBatch(2).withMaxBatch(2);
    cycle = cycle("node-1");
    List<String> due = List.of("s1", "s2", "s3", "s4", "s5");
    due.forEach(this::schedule);
    clock.advance(Duration.ofHours(1));
    append("a1", "a2");

    cycle.runOnce();
    assertThat(sender.sentTypes()).as("ordinary ones do not wait").containsExactly("a1", "a2");
    for (int pass = 0; pass < 10; pass++) {
      cycle.runOnce();
    }

    assertThat(sender.sentTypesAfter(2)).containsExactlyElementsOf(due);
  }

  private void schedule(String name) {
    Message message =
        Message.event(name)
            .to("orders")
            .key(name)
            .notBefore(clock.instant().plus(Duration.ofMinutes(1)))
            .json("{}")
            .build();
    try (InMemoryTransaction transaction = store.begin()) {
      Outbox.over(store).append(transaction, message);
      transaction.commit();
    }
  }

  @Test
  void scheduledMessagesGoWhenTheyAreDue() {
    Message later =
        Message.event("later")
            .to("orders")
            .key("a")
            .json("{}")
            .notBefore(clock.instant().plusSeconds(60))
            .build();
    try (InMemoryTransaction transaction = store.begin()) {
      Outbox.over(store).append(transaction, later);
      transaction.commit();
    }
    append("a1");

    cycle.runOnce();
    assertThat(sender.sentTypes()).containsExactly("a1");

    pass(Duration.ofSeconds(61));
    cycle = cycle("node-2");
    sender.acceptAll();
    cycle.runOnce();
    assertThat(sender.sentTypesAfter(1)).contains("later");
  }
}
