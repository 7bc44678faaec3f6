package io.postroad.tck.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.store.MessageStatus;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.RecordingSender;
import io.postroad.tck.contract.scene.Relays;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Starting and stopping a relay on this store, in every order. */
@StoreContract
public final class RelayLifeCycleContract {

  @Test
  void startingTwiceAndStoppingTwiceIsLegal(StoreUnderTest tck) throws Exception {
    RecordingSender sender = RecordingSender.accepting();
    OutboxRelay relay = Relays.relay(tck, sender);
    List<Message> messages = Samples.messages(10);

    relay.start();
    relay.start();
    assertThat(relay.isRunning()).isTrue();
    Relays.append(tck.store(), messages);
    sender.awaitSent(10);
    relay.stop();
    relay.stop();

    assertThat(relay.isRunning()).isFalse();
    assertThat(sender.sentIds()).containsExactlyInAnyOrderElementsOf(Samples.ids(messages));
  }

  @Test
  void stoppingBeforeTheStartIsLegal(StoreUnderTest tck) throws Exception {
    RecordingSender sender = RecordingSender.accepting();
    OutboxRelay relay = Relays.relay(tck, sender);
    Message message = Samples.message();

    relay.stop();
    assertThat(relay.isRunning()).isFalse();
    relay.start();
    Relays.append(tck.store(), message);

    sender.awaitSent(1);
    assertThat(sender.sentIds()).containsExactly(message.id());
  }

  @Test
  void aStoppedRelaySendsNothingAndMayBeStartedAgain(StoreUnderTest tck) throws Exception {
    RecordingSender sender = RecordingSender.accepting();
    OutboxRelay relay = Relays.relay(tck, sender);
    relay.start();
    relay.stop();
    Message message = Samples.message();
    Relays.append(tck.store(), message);
    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.PENDING);
    assertThat(sender.sent()).isEmpty();

    relay.start();

    sender.awaitSent(1);
    assertThat(sender.sentIds()).containsExactly(message.id());
  }

  @Test
  void aStopSettlesWhatIsInFlight(StoreUnderTest tck) throws Exception {
    CompletableFuture<SendOutcome> answer = new CompletableFuture<>();
    RecordingSender sender = RecordingSender.answeringLater(ignored -> answer);
    OutboxRelay relay = Relays.relay(tck, sender);
    Message message = Samples.message();
    relay.start();
    Relays.append(tck.store(), message);
    sender.awaitSent(1);

    FutureTask<Boolean> stopped = new FutureTask<>(relay::stop, true);
    Thread stopping = new Thread(stopped, "stopping");
    stopping.start();
    Relays.eventually(() -> assertThat(stopping.getState()).isEqualTo(Thread.State.TIMED_WAITING));
    answer.complete(RecordingSender.accepted());
    StoreUnderTest.get(stopped);

    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
    assertThat(sender.sentIds()).containsExactly(message.id());
  }

  @Test
  void aStopEndsEveryThread(StoreUnderTest tck) throws Exception {
    Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    OutboxRelay relay =
        tck.closedAtEnd(
            Relays.builder(tck.store(), RecordingSender.accepting())
                .options(Relays.options().withWorkers(3))
                .threads(
                    work -> {
                      Thread thread = new Thread(work);
                      threads.add(thread);
                      return thread;
                    })
                .build());
    relay.start();
    assertThat(threads).isNotEmpty();

    relay.stop();

    for (Thread thread : threads) {
      thread.join(Duration.ofMinutes(1).toMillis());
      assertThat(thread.isAlive()).as("%s is alive after the stop", thread.getName()).isFalse();
    }
  }

  @Test
  void startsAndStopsFromManyThreadsLoseNothing(StoreUnderTest tck) throws Exception {
    RecordingSender sender = RecordingSender.accepting();
    OutboxRelay relay = Relays.relay(tck, sender);
    List<Message> messages = Samples.messages(240);
    AtomicInteger next = new AtomicInteger();

    tck.together(
        6,
        () -> {
          for (int i = 0; i < 40; i++) {
            int turn = next.getAndIncrement();
            Relays.append(tck.store(), messages.get(turn));
            if (turn % 3 == 0) {
              relay.stop();
            } else {
              relay.start();
            }
          }
          return true;
        });
    relay.start();

    Relays.eventually(() -> assertThat(tck.store().backlog().pending()).isZero());
    relay.stop();
    assertThat(relay.isRunning()).isFalse();
    assertThat(sender.sentIds()).containsExactlyInAnyOrderElementsOf(Samples.ids(messages));
  }
}
