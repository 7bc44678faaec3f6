package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.postroad.inbox.HandlerContext;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.MessageHandler;
import io.postroad.inbox.PermanentFailure;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxWorkers;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.WorkerOptions;
import io.postroad.spi.Claim;
import io.postroad.spi.CompetingStore;
import io.postroad.store.Decision;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import io.postroad.tck.Capability;
import io.postroad.tck.CompetingOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Relays;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** No broker, no order: workers take messages straight from an outbox. */
@StoreContract
@CompetingOnly
public final class WorkersContract {
  private static final Message EFFECT = Samples.builder().to("effects").build();

  @Test
  void workAndSettlementAreOneCommit(StoreUnderTest tck) throws Exception {
    OutboxWorkers<Object> workers =
        workers(tck, on("wiki", (message, context) -> append(tck, context)));
    Message message = to("wiki");
    tck.append(message);

    RelayPass pass = workers.drain();

    assertThat(pass.delivered()).isEqualTo(1);
    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
    assertThat(tck.claim(10)).as("what the handler wrote").hasSize(1);
  }

  @Test
  void whatTheHandlerDidIsUndoneWhenItFails(StoreUnderTest tck) throws Exception {
    AtomicBoolean failing = new AtomicBoolean(true);
    OutboxWorkers<Object> workers =
        workers(
            tck,
            on(
                "wiki",
                (message, context) -> {
                  append(tck, context);
                  if (failing.get()) {
                    throw new IllegalStateException("disk full");
                  }
                }));
    Message message = to("wiki");
    tck.append(message);

    assertThat(workers.drain().retried()).isEqualTo(1);
    StoredMessage stored = tck.find(message.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored.lastError()).contains("IllegalStateException: disk full");
    assertThat(tck.claim(10)).as("nothing was written").isEmpty();

    failing.set(false);
    tck.advance(Relays.FIRST_WAIT.multipliedBy(2));
    assertThat(workers.drain().delivered()).isEqualTo(1);
    assertThat(tck.claim(10)).hasSize(1);
  }

  @Test
  void aPermanentFailureIsDeadAtOnceAndATypeWithoutHandlerToo(StoreUnderTest tck) throws Exception {
    OutboxWorkers<Object> workers =
        workers(
            tck,
            Handlers.builder()
                .on(
                    "wiki",
                    "OrderPlaced",
                    "render",
                    (message, context) -> {
                      throw new PermanentFailure("no such page");
                    }));
    Message message = to("wiki");
    Message other = Message.event("PageMoved").to("wiki").json("{}").build();
    tck.append(message, other);

    assertThat(workers.drain().dead()).isEqualTo(2);
    assertThat(tck.find(message.id()).lastError()).contains("PermanentFailure: no such page");
    assertThat(tck.find(other.id()).lastError().orElse(""))
        .contains("no handler wants type 'PageMoved' of 'wiki'")
        .contains("render (wiki, OrderPlaced)");
  }

  @Test
  void afterTheLastAttemptItIsDead(StoreUnderTest tck) throws Exception {
    OutboxWorkers<Object> workers =
        workers(
            tck,
            on(
                "wiki",
                (message, context) -> {
                  throw new IllegalStateException("still no");
                }));
    Message message = to("wiki");
    tck.append(message);
    for (int i = 0; i < Relays.MAX_ATTEMPTS; i++) {
      workers.drain();
      tck.advance(Relays.FIRST_WAIT.multipliedBy(8));
    }

    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.FAILED);
    assertThat(tck.find(message.id()).attempts()).isEqualTo(Relays.MAX_ATTEMPTS);
  }

  @Test
  void whoLostTheMessageChangesNothing(StoreUnderTest tck) throws Exception {
    AtomicBoolean slow = new AtomicBoolean(true);
    OutboxWorkers<Object> workers =
        workers(
            tck,
            on(
                "wiki",
                (message, context) -> {
                  if (slow.getAndSet(false)) {
                    tck.advance(Relays.LEASE.plusSeconds(1));
                    assertThat(tck.claim("node-2", 10)).hasSize(1);
                  }
                  append(tck, context);
                }));
    Message message = to("wiki");
    tck.append(message);

    RelayPass pass = workers.runOnce();

    assertThat(pass.fenced()).isEqualTo(1);
    assertThat(tck.claim("node-3", 10)).as("what it wrote was undone").isEmpty();
    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.PROCESSING);
  }

  @Test
  void bothHandlersOfAMessageHaveItInOneTransaction(StoreUnderTest tck) throws Exception {
    List<String> effects = new CopyOnWriteArrayList<>();
    AtomicBoolean failing = new AtomicBoolean(true);
    OutboxWorkers<Object> workers =
        workers(
            tck,
            Handlers.builder()
                .onAny("wiki", "a-index", noting(tck, effects))
                .onAny(
                    "wiki",
                    "b-render",
                    (message, context) -> {
                      if (failing.getAndSet(false)) {
                        throw new IllegalStateException("not yet");
                      }
                      noting(tck, effects).handle(message, context);
                    }));
    tck.append(to("wiki"));

    workers.drain();
    assertThat(effects).isEmpty();
    tck.advance(Relays.FIRST_WAIT.multipliedBy(2));
    workers.drain();
    assertThat(effects).containsExactlyInAnyOrder("a-index", "b-render");
  }

  @Test
  void aHandlerWithoutTransactionRunsBeforeIt(StoreUnderTest tck) throws Exception {
    List<String> calls = new ArrayList<>();
    OutboxWorkers<Object> workers =
        workers(
            tck,
            Handlers.builder()
                .withoutTransaction(
                    "media",
                    "OrderPlaced",
                    "resize",
                    (message, context) -> {
                      assertThatIllegalStateException().isThrownBy(context::transaction);
                      assertThat(tck.store().transactions().current()).isEmpty();
                      calls.add(context.handler());
                    }));
    Message message = to("media");
    tck.append(message);

    assertThat(workers.drain().delivered()).isEqualTo(1);
    assertThat(calls).containsExactly("resize");
    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void aLongBacklogOfOneStreamHoldsUpNoOther(StoreUnderTest tck) throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    List<String> effects = new CopyOnWriteArrayList<>();
    AtomicInteger stuck = new AtomicInteger();
    OutboxWorkers<Object> workers =
        workers(
            tck,
            Handlers.builder()
                .onAny(
                    "wiki",
                    "render",
                    (message, context) -> {
                      stuck.incrementAndGet();
                      never.await();
                    })
                .onAny("search", "index", noting(tck, effects)),
            WorkerOptions.defaults().withConcurrency("wiki", 2));
    for (int i = 0; i < 20; i++) {
      tck.append(to("wiki"));
    }
    tck.append(to("search"));

    workers.start();
    Relays.eventually(() -> assertThat(effects).containsExactly("index"));
    Relays.eventually(() -> assertThat(stuck).hasValue(2));
    assertThat(tck.claim("onlooker", 100)).as("the rest was not taken").hasSize(18);
    never.countDown();
    workers.stop();
    assertThat(stuck).as("no more than its places").hasValue(2);
  }

  @Test
  void aPausedStreamIsNotTaken(StoreUnderTest tck) throws Exception {
    OutboxWorkers<Object> workers = workers(tck, on("wiki", (message, context) -> {}));
    tck.append(to("wiki"));
    tck.store().pauses().pause("wiki", new Decision("operator", "a look"));

    assertThat(workers.drain().claimed()).isZero();
    tck.store().pauses().resume("wiki", new Decision("operator", "looked"));
    assertThat(workers.drain().delivered()).isEqualTo(1);
  }

  @Test
  void startedTheyWorkAndStopAfterWhatRuns(StoreUnderTest tck) throws Exception {
    Semaphore began = new Semaphore(0);
    Semaphore goOn = new Semaphore(0);
    OutboxWorkers<Object> workers =
        workers(
            tck,
            on(
                "wiki",
                (message, context) -> {
                  began.release();
                  goOn.acquire();
                }));
    Message message = to("wiki");
    tck.append(message);
    workers.start();
    workers.start();
    assertThat(workers.isRunning()).isTrue();
    assertThatIllegalStateException().isThrownBy(workers::runOnce);
    began.acquire();
    goOn.release();
    workers.stop();
    workers.stop();

    assertThat(workers.isRunning()).isFalse();
    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  /** A deployment in the middle of a long job must not bring the message nearer to its death. */
  @Test
  void whatAStopInterruptsIsNoAttempt(StoreUnderTest tck) throws Exception {
    interruptedByStop(
        tck,
        (message, context) -> {
          append(tck, context);
          new CountDownLatch(1).await();
        });
  }

  @Test
  void whatReturnsBecauseOfAStopIsNotDone(StoreUnderTest tck) throws Exception {
    interruptedByStop(
        tck,
        (message, context) -> {
          append(tck, context);
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static void interruptedByStop(StoreUnderTest tck, MessageHandler<Object> handler)
      throws Exception {
    Semaphore began = new Semaphore(0);
    OutboxWorkers<Object> workers =
        workers(
            tck,
            on(
                "wiki",
                (message, context) -> {
                  began.release();
                  handler.handle(message, context);
                }),
            WorkerOptions.defaults(),
            Relays.options().withMaxAttempts(1).withDrainFor(Duration.ZERO));
    Message message = to("wiki");
    tck.append(message);
    workers.start();
    began.acquire();

    workers.stop();

    StoredMessage stored = tck.find(message.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored.attempts()).isZero();
    assertThat(stored.lastError()).contains("its worker was stopped before the work was done");
    assertThat(tck.claim(10))
        .as("it is due, and what the handler wrote was undone")
        .extracting(Claim::id)
        .containsExactly(message.id());
  }

  @Test
  void workersWithoutAStreamAreRefused(StoreUnderTest tck) throws Exception {
    CompetingStore<Object> store = tck.competing();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OutboxWorkers.builder(store, Handlers.builder().build().work()).build())
        .withMessageContaining("register a handler");
  }

  private static MessageHandler<Object> noting(StoreUnderTest tck, List<String> effects) {
    return (message, context) ->
        tck.store().transactions().afterCommit(() -> effects.add(context.handler()));
  }

  private static void append(StoreUnderTest tck, HandlerContext<Object> context) throws Exception {
    Message effect = EFFECT.toBuilder().build();
    var unused =
        tck.store().append(context.transaction(), List.of(effect), StoreUnderTest.DEDUPLICATE_FOR);
  }

  private static Handlers.Builder<Object> on(String stream, MessageHandler<Object> handler) {
    return Handlers.builder().onAny(stream, "handler", handler);
  }

  private static OutboxWorkers<Object> workers(
      StoreUnderTest tck, Handlers.Builder<Object> handlers) throws Exception {
    return workers(tck, handlers, WorkerOptions.defaults());
  }

  private static OutboxWorkers<Object> workers(
      StoreUnderTest tck, Handlers.Builder<Object> handlers, WorkerOptions options)
      throws Exception {
    return workers(tck, handlers, options, Relays.options());
  }

  private static OutboxWorkers<Object> workers(
      StoreUnderTest tck,
      Handlers.Builder<Object> handlers,
      WorkerOptions options,
      RelayOptions relay)
      throws Exception {
    tck.needs(Capability.STREAMS);
    return tck.closedAtEnd(
        OutboxWorkers.builder(tck.competing(), handlers.build().work())
            .options(options.withRelay(relay.withName("worker-1")))
            .build());
  }

  private static Message to(String stream) {
    return Samples.builder().to(stream).build();
  }
}
