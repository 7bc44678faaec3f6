package io.postroad.tck.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.WakeUps;
import io.postroad.tck.Capability;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.RecordingSender;
import io.postroad.tck.contract.scene.Relays;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Events that make a started relay work.
 *
 * <p>An idle relay doubles the time between two polls up to an hour here, so twenty polls would
 * take it most of a day; a test that sees them has seen what wake-ups do, without a stopwatch.
 */
@StoreContract
public final class RelayWakeUpContract {
  private static final int POLLS = 20;

  @Test
  void aSignalMakesARelayPoll(StoreUnderTest tck) throws Exception {
    Semaphore polls = new Semaphore(0);
    relayThatCountsPolls(tck, tck.store(), polls).start();

    signalForEachPoll(tck.store().wakeUps(), polls);
  }

  @Test
  void aSignalOfAnotherNodeMakesARelayPoll(StoreUnderTest tck) throws Exception {
    tck.needs(Capability.REMOTE_WAKE_UP);
    Semaphore polls = new Semaphore(0);
    OutboxStore<Object> here = tck.store();
    relayThatCountsPolls(tck, tck.anotherNode(), polls).start();

    signalForEachPoll(here.wakeUps(), polls);
  }

  @Test
  void theCommitOfAnAppendIsSignalled(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> store = tck.store();
    Outbox<Object> outbox = Outbox.over(store);
    Semaphore heard = new Semaphore(0);
    tck.closedAtEnd(store.wakeUps().subscribe(heard::release));

    store
        .transactions()
        .run(
            transaction -> {
              outbox.append(Samples.message());
              assertThat(heard.availablePermits()).as("before the commit").isZero();
            });

    assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aStartedRelayFindsWhatNobodySignalled(StoreUnderTest tck) throws Exception {
    RecordingSender sender = RecordingSender.accepting();
    OutboxRelay relay =
        Relays.relay(
            tck, tck.store(), sender, Relays.options().withSweepEvery(Duration.ofMillis(20)));
    relay.start();
    Message message = Samples.message();

    tck.append(message);

    sender.awaitSent(1);
    assertThat(sender.sentIds()).containsExactly(message.id());
  }

  private static OutboxRelay relayThatCountsPolls(
      StoreUnderTest tck, OutboxStore<Object> node, Semaphore polls) {
    return tck.closedAtEnd(
        Relays.builder(node, RecordingSender.accepting())
            .options(Relays.options().withSweepEvery(Duration.ofHours(1)))
            .observer(
                signal -> {
                  if (signal instanceof OutboxSignal.Polled) {
                    polls.release();
                  }
                })
            .build());
  }

  /** A hint may be lost, so one that did not lead to a poll in a while is given again. */
  private static void signalForEachPoll(WakeUps wakeUps, Semaphore polls) throws Exception {
    assertThat(polls.tryAcquire(60, TimeUnit.SECONDS)).as("the first poll").isTrue();
    int tries = 0;
    for (int seen = 0; seen < POLLS; ) {
      assertThat(tries++).as("signals given, polls seen: %d", seen).isLessThan(3 * POLLS);
      wakeUps.signal();
      if (polls.tryAcquire(2, TimeUnit.SECONDS)) {
        seen++;
      }
    }
  }
}
