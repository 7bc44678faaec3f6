package io.postroad.internal.relay.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.internal.relay.RelayParts;
import io.postroad.message.Message;
import io.postroad.outbox.MessageWork;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.WorkLease;
import io.postroad.outbox.WorkerOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.store.MessageStatus;
import io.postroad.test.InMemoryCompetingStore;
import io.postroad.test.InMemoryTransaction;
import io.postroad.test.ManualClock;
import io.postroad.trace.Tracing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lease of a worker while time passes in its work. */
@Timeout(60)
class WorkRunTest {
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final ManualClock clock = ManualClock.startingNow();
  private final InMemoryCompetingStore store = new InMemoryCompetingStore(clock);
  private final AtomicLong nanos = new AtomicLong();
  private final List<OutboxSignal> signals = new ArrayList<>();

  /** What the work does. */
  private interface Body {
    void run(WorkLease lease) throws Exception;
  }

  private WorkRun<InMemoryTransaction> run(Claim claim, Body body) {
    RelayOptions options = RelayOptions.defaults().withName("node-1").withLeaseFor(LEASE);
    RelayParts parts =
        RelayParts.of(
            new NoSender(), options, signals::add, Thread::new, nanos::get, Tracing.none());
    MessageWork<InMemoryTransaction> work =
        new MessageWork<>() {
          @Override
          public Set<String> destinations() {
            return Set.of("wiki");
          }

          @Override
          public void inside(InMemoryTransaction transaction, Message message, WorkLease lease)
              throws Exception {
            body.run(lease);
          }

          @Override
          public SendOutcome.Again again(Throwable failure) {
            return SendOutcome.Again.NEVER;
          }
        };
    WorkEngine<InMemoryTransaction> engine =
        new WorkEngine<>(store, store.transactions(), work, WorkerOptions.defaults(), parts);
    return new WorkRun<>(engine, claim, nanos.get());
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    clock.advance(time);
  }

  private Claim claim() {
    Message message = Message.event("PageMoved").to("wiki").json("{}").build();
    try (InMemoryTransaction transaction = store.begin()) {
      Outbox.over(store).append(transaction, message);
      transaction.commit();
    }
    return store.claim(new ClaimRequest("node-1", 1, LEASE)).get(0);
  }

  private List<Claim> claimByOther() {
    return store.claim(new ClaimRequest("node-2", 1, LEASE));
  }

  @Test
  void progressKeepsTheMessage() {
    Claim claim = claim();

    RelayPass pass =
        run(
                claim,
                lease -> {
                  for (int i = 0; i < 10; i++) {
                    pass(LEASE.dividedBy(2));
                    lease.progress();
                    assertThat(claimByOther()).isEmpty();
                  }
                })
            .run();

    assertThat(pass.delivered()).isEqualTo(1);
  }

  @Test
  void withoutProgressItIsLostAndNothingIsChanged() {
    Claim claim = claim();

    RelayPass pass =
        run(
                claim,
                lease -> {
                  pass(LEASE.plusSeconds(1));
                  assertThat(claimByOther()).hasSize(1);
                })
            .run();

    assertThat(pass.fenced()).isEqualTo(1);
    assertThat(store.find(claim.id()).orElseThrow().status()).isEqualTo(MessageStatus.PROCESSING);
  }

  @Test
  void progressSaysWhenTheMessageIsLost() {
    Claim claim = claim();
    List<String> reached = new ArrayList<>();

    RelayPass pass =
        run(
                claim,
                lease -> {
                  pass(LEASE.plusSeconds(1));
                  assertThat(claimByOther()).hasSize(1);
                  lease.progress();
                  reached.add("went on");
                })
            .run();

    assertThat(reached).isEmpty();
    assertThat(pass.fenced()).isEqualTo(1);
    assertThat(signals).anyMatch(OutboxSignal.FenceRejected.class::isInstance);
  }

  @Test
  void whoDoesNotGetOnIsInterruptedAtTheEndOfTheLease() throws Exception {
    Claim claim = claim();
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    WorkRun<InMemoryTransaction> run =
        run(
            claim,
            lease -> {
              began.countDown();
              never.await();
            });
    List<RelayPass> passes = new ArrayList<>();
    Thread worker = new Thread(() -> passes.add(run.run()));
    worker.start();
    assertThat(began.await(30, TimeUnit.SECONDS)).isTrue();
    pass(LEASE.minusMillis(1));
    run.interruptIfLate();
    assertThat(worker.isAlive()).isTrue();
    pass(Duration.ofMillis(1));

    run.interruptIfLate();
    worker.join();

    assertThat(passes).extracting(RelayPass::retried).containsExactly(1);
    assertThat(store.find(claim.id()).orElseThrow().lastError().orElse(""))
        .contains("interrupted after PT30S without progress");
  }

  @Test
  void whoReturnsBecauseOfTheInterruptRollsBack() throws Exception {
    Claim claim = claim();
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    WorkRun<InMemoryTransaction> run =
        run(
            claim,
            lease -> {
              began.countDown();
              try {
                never.await();
              } catch (InterruptedException swallowed) {
                Thread.currentThread().interrupt();
              }
            });
    List<RelayPass> passes = new ArrayList<>();
    Thread worker = new Thread(() -> passes.add(run.run()));
    worker.start();
    assertThat(began.await(30, TimeUnit.SECONDS)).isTrue();
    pass(LEASE);

    run.interruptIfLate();
    worker.join();

    assertThat(passes).extracting(RelayPass::retried).containsExactly(1);
  }

  /** Nothing is sent here. */
  private static final class NoSender implements MessageSender {
    @Override
    public String name() {
      return "none";
    }

    @Override
    public Duration timeout() {
      return Duration.ZERO;
    }

    @Override
    public List<java.util.concurrent.CompletionStage<SendOutcome>> send(List<Message> messages) {
      return List.of();
    }

    @Override
    public void close() {}
  }
}
