package io.postroad.tck.contract.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.Settlement;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import io.postroad.tck.CompetingOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A message whose destination is not open waits until it is, however long that takes. */
@StoreContract
@CompetingOnly
public final class BlockedDestinationContract {

  @Test
  void aMessageSetAsideIsNotDueBeforeItIsOpened(StoreUnderTest tck) throws Exception {
    CompetingStore<Object> store = tck.competing();
    Message message = to("a");
    setAside(tck, message);

    tck.advance(Duration.ofDays(400));
    assertThat(tck.claim(10)).isEmpty();

    assertThat(store.open("a", 10)).isEqualTo(1);
    Claim claim = tck.claimOne();
    assertThat(claim.message()).isEqualTo(message);
    assertThat(claim.expiredOwner()).isEmpty();
  }

  @Test
  void itsAttemptIsNotCountedAndTheReasonKept(StoreUnderTest tck) throws Exception {
    Message message = to("a");
    setAside(tck, message);

    StoredMessage stored = tck.find(message.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored.attempts()).isZero();
    assertThat(stored.lastError()).contains("a is down");
    assertThat(stored.owner()).isEmpty();
    assertThat(stored.dueAt()).isEqualTo(BlockedDestination.DUE_AT);

    tck.competing().open("a", 1);
    assertThat(tck.claimOne().attempt()).isEqualTo(1);
  }

  @Test
  void destinationsAreOpenedOneByOne(StoreUnderTest tck) throws Exception {
    CompetingStore<Object> store = tck.competing();
    Message a = to("a");
    Message b = to("b");
    setAside(tck, a);
    setAside(tck, b);
    assertThat(store.blockedDestinations()).containsExactlyInAnyOrder("a", "b");

    assertThat(store.open("b", 10)).isEqualTo(1);

    assertThat(tck.claimOne().message()).isEqualTo(b);
    assertThat(store.blockedDestinations()).containsExactly("a");
    assertThat(store.open("b", 10)).isZero();
    assertThat(store.open("c", 10)).isZero();
  }

  @Test
  void asManyAreOpenedAsAskedForTheLongestWaitingFirst(StoreUnderTest tck) throws Exception {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      messages.add(to("a"));
      setAside(tck, messages.get(i));
      tck.advance(Duration.ofSeconds(1));
    }

    assertThat(tck.competing().open("a", 1)).isEqualTo(1);
    Claim first = tck.claimOne();
    assertThat(first.message()).isEqualTo(messages.get(0));
    tck.settle(new Settlement.Blocked(first, "a is still down"));
    assertThat(tck.competing().open("a", 2)).isEqualTo(2);

    assertThat(tck.claim(10))
        .extracting(Claim::message)
        .as("a message that was tried goes to the end")
        .containsExactlyInAnyOrder(messages.get(1), messages.get(2));
  }

  @Test
  void onlyWhatWasClaimedCanBeSetAside(StoreUnderTest tck) throws Exception {
    Message message = to("a");
    tck.append(message);
    Claim late = tck.claimOne();
    tck.advance(StoreUnderTest.LEASE.plusSeconds(1));
    Claim latest = tck.claimOne();

    assertThat(tck.competing().settle(List.of(new Settlement.Blocked(late, "too late"))))
        .containsExactly(message.id());

    assertThat(tck.competing().blockedDestinations()).isEmpty();
    tck.settle(new Settlement.Delivered(latest));
    assertThat(tck.competing().open("a", 10)).isZero();
  }

  @Test
  void openingTouchesNothingElse(StoreUnderTest tck) throws Exception {
    CompetingStore<Object> store = tck.competing();
    Message retried = to("a");
    tck.append(retried);
    tck.settle(new Settlement.Retry(tck.claimOne(), Duration.ofHours(1), "later"));
    Message dead = to("a");
    tck.append(dead);
    tck.settle(new Settlement.Dead(tck.claimOne(), "never"));
    Message claimed = to("a");
    tck.append(claimed);
    Claim held = tck.claimOne();

    assertThat(store.open("a", 10)).isZero();

    assertThat(tck.claim(10)).isEmpty();
    assertThat(store.settle(List.of(new Settlement.Delivered(held)))).isEmpty();
    assertThat(tck.find(dead.id()).status()).isEqualTo(MessageStatus.FAILED);
  }

  @Test
  void openingNoneIsRefused(StoreUnderTest tck) throws Exception {
    CompetingStore<Object> store = tck.competing();

    assertThatThrownBy(() -> store.open("a", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 or more, got 0");
  }

  @Test
  void theyAreCountedByDestination(StoreUnderTest tck) throws Exception {
    setAside(tck, to("b"));
    tck.advance(Duration.ofMinutes(5));
    setAside(tck, to("b"));
    setAside(tck, to("a"));
    tck.append(to("c"));

    List<BlockedDestination> waiting = tck.store().blocked();

    assertThat(waiting).extracting(BlockedDestination::destination).containsExactly("a", "b");
    assertThat(waiting).extracting(BlockedDestination::messages).containsExactly(1L, 2L);
    assertThat(waiting.get(0).oldest()).isLessThan(Duration.ofMinutes(1));
    assertThat(waiting.get(1).oldest()).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
  }

  @Test
  void theyArePendingAndNotLate(StoreUnderTest tck) throws Exception {
    setAside(tck, to("a"));
    tck.advance(Duration.ofMinutes(5));

    Backlog backlog = tck.store().backlog();

    assertThat(backlog.pending()).isEqualTo(1);
    assertThat(backlog.lag()).isZero();
  }

  @Test
  void twoWhoOpenAtOnceOpenEachMessageOnce(StoreUnderTest tck) throws Exception {
    CompetingStore<Object> store = tck.competing();
    CompetingStore<Object> elsewhere = StoreUnderTest.competing(tck.anotherNode());
    List<Message> messages = IntStream.range(0, 100).mapToObj(i -> to("a")).toList();
    tck.append(messages);
    List<Settlement> aside =
        tck.claim(100).stream()
            .<Settlement>map(claim -> new Settlement.Blocked(claim, "a is down"))
            .toList();
    assertThat(store.settle(aside)).isEmpty();

    AtomicInteger turn = new AtomicInteger();
    List<Integer> opened =
        tck.together(4, () -> openAll(turn.getAndIncrement() % 2 == 0 ? store : elsewhere));

    assertThat(opened.stream().mapToInt(Integer::intValue).sum()).isEqualTo(100);
    assertThat(tck.claim(200))
        .extracting(Claim::id)
        .containsExactlyInAnyOrderElementsOf(Samples.ids(messages));
  }

  private static int openAll(CompetingStore<Object> store) {
    int all = 0;
    for (int some = store.open("a", 7); some > 0; some = store.open("a", 7)) {
      all += some;
    }
    return all;
  }

  private static Message to(String destination) {
    return Message.event("OrderPlaced").to(destination).json("{}").build();
  }

  /** Appends a message, which must be the only one that is due, and sets it aside. */
  private static void setAside(StoreUnderTest tck, Message message) throws Exception {
    tck.append(message);
    Claim claim = tck.claimOne();
    assertThat(claim.message()).isEqualTo(message);
    tck.settle(new Settlement.Blocked(claim, message.destination() + " is down"));
  }
}
