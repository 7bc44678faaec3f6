package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.spi.OutboxStore;
import io.postroad.spi.WakeUps;
import io.postroad.tck.Capability;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Hints reach their listeners, and do no harm without listeners. */
@StoreContract
public final class WakeUpContract {

  @Test
  void aSignalReachesEveryListenerOfThisNode(StoreUnderTest tck) throws Exception {
    WakeUps wakeUps = tck.store().wakeUps();
    CountDownLatch heard = new CountDownLatch(2);
    AtomicInteger one = new AtomicInteger();
    AtomicInteger two = new AtomicInteger();
    tck.closedAtEnd(wakeUps.subscribe(() -> countOnce(one, heard)));
    tck.closedAtEnd(wakeUps.subscribe(() -> countOnce(two, heard)));

    wakeUps.signal();

    assertThat(heard.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aListenerHearsEachSignalThatComesAfterTheLastWasHeard(StoreUnderTest tck) throws Exception {
    WakeUps wakeUps = tck.store().wakeUps();
    Semaphore heard = new Semaphore(0);
    tck.closedAtEnd(wakeUps.subscribe(heard::release));

    for (int i = 0; i < 5; i++) {
      wakeUps.signal();
      assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aSignalReachesTheListenersOfAnotherNode(StoreUnderTest tck) throws Exception {
    tck.needs(Capability.REMOTE_WAKE_UP);
    WakeUps here = tck.store().wakeUps();
    OutboxStore<Object> another = tck.anotherNode();
    CountDownLatch heard = new CountDownLatch(1);
    tck.closedAtEnd(another.wakeUps().subscribe(heard::countDown));

    signalUntil(here, heard);
  }

  @Test
  void aSignalAfterTheCommitOfAUnitIsHeardAfterTheCommit(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> store = tck.store();
    Semaphore heard = new Semaphore(0);
    tck.closedAtEnd(store.wakeUps().subscribe(heard::release));

    store
        .transactions()
        .run(
            transaction -> {
              store.transactions().afterCommit(store.wakeUps()::signal);
              assertThat(heard.availablePermits()).as("before the commit").isZero();
            });

    assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aRolledBackUnitSignalsNothing(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> store = tck.store();
    AtomicInteger heard = new AtomicInteger();
    CountDownLatch marker = new CountDownLatch(1);
    assertThatThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        transaction -> {
                          store.transactions().afterCommit(heard::incrementAndGet);
                          throw new IOException("no");
                        }))
        .isInstanceOf(IOException.class);
    tck.closedAtEnd(store.wakeUps().subscribe(marker::countDown));
    store.wakeUps().signal();

    assertThat(marker.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(heard).hasValue(0);
  }

  /** A second listener shows when the signal has gone round. */
  @Test
  void aClosedSubscriptionIsSilent(StoreUnderTest tck) throws Exception {
    WakeUps wakeUps = tck.store().wakeUps();
    AtomicInteger closedHeard = new AtomicInteger();
    Semaphore openHeard = new Semaphore(0);
    WakeUps.Subscription closed = wakeUps.subscribe(closedHeard::incrementAndGet);
    tck.closedAtEnd(wakeUps.subscribe(openHeard::release));
    closed.close();

    wakeUps.signal();

    assertThat(openHeard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    assertThat(closedHeard).hasValue(0);
  }

  @Test
  void aSubscriptionMayBeClosedTwice(StoreUnderTest tck) throws Exception {
    WakeUps wakeUps = tck.store().wakeUps();
    Semaphore heard = new Semaphore(0);
    WakeUps.Subscription subscription = wakeUps.subscribe(() -> {});
    tck.closedAtEnd(wakeUps.subscribe(heard::release));

    subscription.close();
    subscription.close();

    wakeUps.signal();
    assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aListenerThatThrowsDisturbsNobody(StoreUnderTest tck) throws Exception {
    WakeUps wakeUps = tck.store().wakeUps();
    Semaphore heard = new Semaphore(0);
    tck.closedAtEnd(
        wakeUps.subscribe(
            () -> {
              throw new IllegalStateException("thrown by the test's listener");
            }));
    tck.closedAtEnd(wakeUps.subscribe(heard::release));

    for (int i = 0; i < 3; i++) {
      wakeUps.signal();
      assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aSignalFailsNeitherWithoutListenersNorAfterClose(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> another = tck.anotherNode();

    another.wakeUps().signal();
    another.close();
    another.wakeUps().signal();
  }

  private static void countOnce(AtomicInteger calls, CountDownLatch latch) {
    if (calls.getAndIncrement() == 0) {
      latch.countDown();
    }
  }

  /** A hint may be lost, so one that did not arrive in a while is given again. */
  private static void signalUntil(WakeUps wakeUps, CountDownLatch heard) throws Exception {
    for (int i = 0; i < 60; i++) {
      wakeUps.signal();
      if (heard.await(1, TimeUnit.SECONDS)) {
        return;
      }
    }
    throw new AssertionError("60 signals, none of them heard by the other node");
  }
}
