package io.postroad.jms;

import static io.postroad.jms.TestQueues.large;
import static io.postroad.jms.TestQueues.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import io.postroad.servers.ArtemisServer;
import io.postroad.servers.ServerOptions;
import io.postroad.spi.OutboxStore;
import io.postroad.test.InMemoryCompetingStore;
import io.postroad.test.InMemoryOrderedStore;
import io.postroad.test.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The broker makes senders to a full queue wait, while other queues work. Starts its own broker,
 * because it needs such queues.
 */
@Timeout(180)
class JmsBlockedQueueTest {
  private static final int MAX_BYTES = 100_000;
  private static final int BODY_BYTES = 10_000;

  /**
   * Options with which the messages of the full queue are not given up, however often it is tried.
   */
  private static final RelayOptions OPTIONS =
      RelayOptions.defaults()
          .withBreakAfter(1)
          .withMaxAttempts(1000)
          .withBackoff(
              Backoff.defaults().withFirst(Duration.ofMillis(100)).withMax(Duration.ofSeconds(1)));

  private static ArtemisServer server;
  private static TestQueues queues;

  @BeforeAll
  static void start() {
    server =
        ArtemisServer.create(
            ServerOptions.defaults()
                .withSetting("addressSettings.\"FULL.#\".addressFullMessagePolicy", "BLOCK")
                .withSetting("addressSettings.\"FULL.#\".maxSizeBytes", "" + MAX_BYTES));
    server.start();
    queues = new TestQueues(server);
  }

  @AfterAll
  static void end() {
    server.close();
  }

  private static JmsSender sender() {
    return JmsSender.create(
        queues.connections(),
        JmsSenderOptions.defaults()
            .withSendTimeout(Duration.ofSeconds(3))
            .withReconnect(Duration.ofMillis(20), Duration.ofMillis(200)));
  }

  /** Returns the address of a queue that makes senders wait for room. */
  private static String blockedQueue(JmsSender sender) {
    String queue = server.declareQueue("FULL." + TestQueues.freshName());
    SendOutcome outcome;
    do {
      outcome = Outcomes.sendOne(sender, large("Filler", queue, "filler", BODY_BYTES));
    } while (outcome instanceof SendOutcome.Accepted);
    return queue;
  }

  private static List<Message> mixed(String blocked, String healthy, int each) {
    return IntStream.range(0, each)
        .boxed()
        .flatMap(
            i ->
                Stream.of(large("B" + i, blocked, "k", BODY_BYTES), message("H" + i, healthy, "k")))
        .toList();
  }

  private static <T> List<T> everySecond(List<T> all, int from) {
    return IntStream.range(0, all.size()).filter(i -> i % 2 == from).mapToObj(all::get).toList();
  }

  @Test
  void aQueueThatMakesItsSenderWaitDelaysNoOtherQueueOfTheCall() {
    try (JmsSender sender = sender()) {
      String blocked = blockedQueue(sender);
      String healthy = queues.create();

      List<CompletionStage<SendOutcome>> stages = sender.send(mixed(blocked, healthy, 10));

      Outcomes.await(sender, everySecond(stages, 1)).forEach(Outcomes::accepted);
      Outcomes.await(sender, everySecond(stages, 0)).forEach(Outcomes::unknown);
      assertThat(queues.types(healthy)).containsExactlyElementsOf(types("H", 10));
    }
  }

  /** Its timeout ends neither the session of the others nor the connection that they use. */
  @Test
  void aQueueThatMakesItsSenderWaitDelaysNoOtherQueueOfTheSession() {
    try (JmsSender sender = sender()) {
      String blocked = blockedQueue(sender);
      String healthy = queues.create();
      try (SendSession session = sender.openSession("lane-0")) {
        List<CompletionStage<SendOutcome>> stages = session.send(mixed(blocked, healthy, 10));
        Outcomes.await(sender, everySecond(stages, 1)).forEach(Outcomes::accepted);

        int after = 0;
        for (int i = 10; after < 20; i++) {
          boolean timedOut = stages.get(0).toCompletableFuture().isDone();
          Outcomes.await(sender, session.send(List.of(message("H" + i, healthy, "k"))))
              .forEach(Outcomes::accepted);
          after += timedOut ? 1 : 0;
        }

        Outcomes.await(sender, everySecond(stages, 0)).forEach(Outcomes::unknown);
        Outcomes.await(sender, session.send(List.of(message("Late", blocked, "k"))))
            .forEach(Outcomes::unknown);
      }
    }
  }

  /** A call with more messages than fit into the queue: its transaction would wait for itself. */
  @Test
  void aCallThatIsLargerThanItsQueueArrivesInOrderWhileAConsumerMakesRoom() throws Exception {
    String queue = server.declareQueue("FULL." + TestQueues.freshName());
    List<Message> messages =
        IntStream.range(0, 4 * MAX_BYTES / BODY_BYTES)
            .mapToObj(i -> large("T" + i, queue, "k", BODY_BYTES))
            .toList();
    try (JmsSender sender = sender();
        TestConsumer consumer = new TestConsumer(queues.connections(), queue)) {
      List<Message> unsent = messages;
      for (int attempt = 0; attempt < Outcomes.ATTEMPTS && !unsent.isEmpty(); attempt++) {
        List<SendOutcome> outcomes = Outcomes.send(sender, unsent);
        List<Message> again = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
          if (!(outcomes.get(i) instanceof SendOutcome.Accepted)) {
            again.add(unsent.get(i));
          }
        }
        unsent = again;
      }
      assertThat(unsent).isEmpty();
      await(() -> new LinkedHashSet<>(consumer.types()).size() == messages.size());
      assertThat(new LinkedHashSet<>(consumer.types()))
          .containsExactlyElementsOf(types("T", messages.size()));
    }
  }

  static Stream<OutboxStore<InMemoryTransaction>> stores() {
    return Stream.of(new InMemoryOrderedStore(), new InMemoryCompetingStore());
  }

  @ParameterizedTest
  @MethodSource("stores")
  void aRelayContinuesWithTheOtherQueuesAndDeclaresNoneOfThemDown(
      OutboxStore<InMemoryTransaction> store) throws Exception {
    try (JmsSender sender = sender()) {
      String blocked = blockedQueue(sender);
      String healthy = queues.create();
      Queue<String> down = new ConcurrentLinkedQueue<>();
      CountDownLatch blockedIsDown = new CountDownLatch(1);
      append(store, mixed(blocked, healthy, 50));
      OutboxRelay relay =
          OutboxRelay.builder(store, sender)
              .options(OPTIONS)
              .observer(
                  signal -> {
                    if (signal instanceof OutboxSignal.DestinationDown that) {
                      down.add(that.destination());
                      if (that.destination().equals(blocked)) {
                        blockedIsDown.countDown();
                      }
                    }
                  })
              .build();
      relay.start();
      try {
        await(() -> queues.types(healthy).size() == 50);
        assertThat(blockedIsDown.await(60, TimeUnit.SECONDS)).isTrue();
        append(store, List.of(message("H50", healthy, "k"), message("H51", healthy, "other")));
        await(() -> queues.types(healthy).size() == 52);
        try (TestConsumer consumer = new TestConsumer(queues.connections(), blocked)) {
          await(() -> consumer.types().contains("B49"));
          if (store instanceof InMemoryOrderedStore) {
            assertThat(
                    new LinkedHashSet<>(consumer.types())
                        .stream().filter(type -> type.startsWith("B")))
                .containsExactlyElementsOf(types("B", 50));
          }
        }
      } finally {
        relay.stop();
      }
      assertThat(down).containsOnly(blocked);
    }
  }

  private static void append(OutboxStore<InMemoryTransaction> store, List<Message> messages) {
    store.transactions().run(unit -> store.append(unit, messages, Duration.ofDays(1)));
  }

  /** More lanes than sessions; each lane always has a waiting call. */
  @Test
  void everyLaneGetsItsTurn() {
    int lanes = 8;
    try (JmsSender sender =
        JmsSender.create(queues.connections(), JmsSenderOptions.defaults().withSessions(2))) {
      List<Lane> busy = IntStream.range(0, lanes).mapToObj(i -> new Lane(sender, i)).toList();
      try {
        busy.forEach(Lane::start);

        await(
            () ->
                busy.stream().anyMatch(lane -> lane.failed)
                    || busy.stream().allMatch(lane -> lane.accepted.get() >= 10));
        assertThat(busy).noneMatch(lane -> lane.failed);
      } finally {
        busy.forEach(Lane::close);
      }
    }
  }

  /** Hands over the next call when the call before the last one is accepted, until it is closed. */
  private static final class Lane {
    private final SendSession session;
    private final String queue = queues.create();
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile boolean failed;
    private volatile boolean closed;

    Lane(JmsSender sender, int lane) {
      session = sender.openSession("lane-" + lane);
    }

    void start() {
      handOver();
      handOver();
    }

    private void handOver() {
      session
          .send(List.of(message("T", queue, "k")))
          .get(0)
          .thenAccept(
              outcome -> {
                if (!(outcome instanceof SendOutcome.Accepted)) {
                  failed = true;
                } else if (!closed) {
                  accepted.incrementAndGet();
                  handOver();
                }
              });
    }

    void close() {
      closed = true;
      session.close();
    }
  }

  private static List<String> types(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
  }

  /** Waits until the condition holds; the limit is that of the class. */
  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new AssertionError("it did not happen in time");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }
}
