package io.postroad.tck.contract.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.Settlement;
import io.postroad.store.Backlog;
import io.postroad.store.MessageStatus;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How messages of an ordered store stand by {@code find}, and what {@code backlog} counts. */
@StoreContract
@OrderedOnly
public final class LaneBacklogContract {
  private static final Duration SLACK = Duration.ofMinutes(5);

  @Test
  void anEmptyStoreHasNoBacklog(StoreUnderTest tck) throws Exception {
    assertThat(tck.store().backlog()).isEqualTo(new Backlog(0, 0, Duration.ZERO));
  }

  @Test
  void aMessageIsPendingUntilTheLaneIsSettledPastIt(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 3);
    tck.append(messages);
    List<LaneEntry> entries = owner.readAll(10);
    assertThat(statuses(tck, messages)).as("read, not settled").containsOnly(MessageStatus.PENDING);
    assertThat(tck.store().backlog().pending()).isEqualTo(3);

    owner.settle(entries.get(1).position());

    assertThat(statuses(tck, messages))
        .containsExactly(MessageStatus.DISPATCHED, MessageStatus.DISPATCHED, MessageStatus.PENDING);
    assertThat(tck.store().backlog().pending()).isEqualTo(1);
  }

  @Test
  void aLateCommitIsPendingThoughTheLaneIsSettledFurther(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> late = Samples.ordered("late", 2);
    Message early = Samples.ordered("early");
    UserTransaction open = tck.begin();
    open.append(late.get(0), late.get(1));
    tck.append(early);
    owner.readOne(early);
    owner.settle();
    open.commit();
    assertThat(statuses(tck, late)).containsOnly(MessageStatus.PENDING);
    assertThat(tck.find(early.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
    assertThat(tck.store().backlog().pending()).isEqualTo(2);

    owner.settle(owner.read(10).entries().get(0).position());

    assertThat(statuses(tck, late))
        .containsExactly(MessageStatus.DISPATCHED, MessageStatus.PENDING);
    assertThat(tck.store().backlog().pending()).isEqualTo(1);
  }

  @Test
  void whatIsNeitherDeliveredNorDeadIsPending(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    tck.append(Samples.ordered("delivered"), Samples.ordered("dead"), Samples.ordered("held"));
    tck.append(Samples.ordered("dead"));
    List<LaneEntry> entries = owner.readAll(10);
    owner.hold(
        new Settlement.Dead(entries.get(1).claim(), "dead"),
        new Settlement.Retry(entries.get(2).claim(), Duration.ofHours(1), "later"),
        new Settlement.Release(entries.get(3).claim(), Duration.ZERO, "behind the dead one"));
    tck.append(Samples.notBefore(tck.store().now().plus(Duration.ofHours(1))));
    tck.append(Samples.ordered("unread"));

    Backlog backlog = tck.store().backlog();

    assertThat(backlog.pending()).as("held, waiting, scheduled, unread").isEqualTo(4);
    assertThat(backlog.dead()).isEqualTo(1);
  }

  @Test
  void theLagIsThatOfTheLongestUnsettled(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    tck.append(Samples.ordered("k"));
    tck.advance(Duration.ofHours(2));
    tck.append(Samples.ordered("k"));
    tck.advance(Duration.ofHours(1));
    assertThat(tck.store().backlog().lag())
        .isBetween(Duration.ofHours(3), Duration.ofHours(3).plus(SLACK));

    owner.settle(owner.readAll(10).get(0).position());

    assertThat(tck.store().backlog().lag())
        .isBetween(Duration.ofHours(1), Duration.ofHours(1).plus(SLACK));
  }

  @Test
  void aHeldMessageLagsFromItsDueTimeOn(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message message = Samples.ordered("k");
    tck.append(message);
    owner.hold(new Settlement.Retry(owner.readOne(message), Duration.ofHours(2), "later"));
    tck.advance(Duration.ofHours(3));

    assertThat(tck.store().backlog().lag())
        .isBetween(Duration.ofHours(1).minusSeconds(1), Duration.ofHours(1).plus(SLACK));
  }

  @Test
  void aScheduledMessageLagsFromItsDueTimeOn(StoreUnderTest tck) throws Exception {
    tck.ordered(1);
    tck.append(Samples.notBefore(tck.store().now().plus(Duration.ofHours(2))));
    tck.advance(Duration.ofHours(3));

    assertThat(tck.store().backlog().lag())
        .isBetween(Duration.ofHours(1).minusSeconds(1), Duration.ofHours(1).plus(SLACK));
  }

  @Test
  void theLagIsZeroWhenNothingIsDue(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    tck.append(Samples.ordered("delivered"), Samples.ordered("dead"), Samples.ordered("held"));
    List<LaneEntry> entries = owner.readAll(10);
    owner.hold(
        new Settlement.Dead(entries.get(1).claim(), "dead"),
        new Settlement.Retry(entries.get(2).claim(), Duration.ofDays(1), "later"));
    tck.append(Samples.notBefore(tck.store().now().plus(Duration.ofDays(1))));
    tck.advance(Duration.ofHours(1));

    assertThat(tck.store().backlog().lag()).isEqualTo(Duration.ZERO);
  }

  @Test
  void everyNodeSeesTheSame(StoreUnderTest tck) throws Exception {
    Message message = Samples.ordered("k");
    LaneOwner owner = LaneOwner.of(tck);
    tck.append(message);
    owner.readOne(message);
    owner.settle();
    tck.append(Samples.ordered("k", 2));

    assertThat(tck.anotherNode().backlog().pending()).isEqualTo(2);
    assertThat(tck.anotherNode().find(message.id()).orElseThrow().status())
        .isEqualTo(MessageStatus.DISPATCHED);
  }

  /** backlog: its cost MUST NOT grow with the number of messages stored. */
  @Test
  void countingStopsAtTheLimit(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    int tenth = Backlog.COUNT_LIMIT / 10;
    for (int i = 0; i < 11; i++) {
      tck.append(Samples.messages(tenth));
    }
    assertThat(tck.store().backlog().pending()).isEqualTo(Backlog.COUNT_LIMIT);
    for (int i = 0; i < 11; i++) {
      owner.hold(
          owner.read(tenth).entries().stream()
              .<Settlement>map(entry -> new Settlement.Dead(entry.claim(), "x"))
              .toList());
    }

    Backlog backlog = tck.store().backlog();

    assertThat(backlog.pending()).isZero();
    assertThat(backlog.dead()).isEqualTo(Backlog.COUNT_LIMIT);
  }

  private static List<MessageStatus> statuses(StoreUnderTest tck, List<Message> messages)
      throws Exception {
    List<MessageStatus> statuses = new ArrayList<>();
    for (Message message : messages) {
      statuses.add(tck.find(message.id()).status());
    }
    return statuses;
  }
}
