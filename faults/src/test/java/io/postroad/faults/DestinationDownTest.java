package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.spi.OutboxStore;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One of two destinations is down for a while under load: it is tried once a second, uses up no
 * attempts, fills neither memory nor log, the other one goes on, and everything arrives afterwards.
 *
 * <p>For how long is {@code -Dpostroad.down=PT3M}; a few seconds unless given.
 */
class DestinationDownTest {
  private static final Duration DOWN_FOR =
      Duration.parse(System.getProperty("postroad.down", "PT4S"));
  private static final String DOWN = "ledger";
  private static final String UP = "reports";
  private static final int KEYS = 500;
  private static final int BATCH = 100;
  private static final int AT_LEAST = 10_000;
  private static final String PADDING = "x".repeat(8_000);
  private static final long MEGABYTE = 1 << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  static Stream<Arguments> outboxes() {
    return Stream.of(Product.values())
        .flatMap(product -> Stream.of(StoreKind.values()).map(kind -> Arguments.of(product, kind)));
  }

  @ParameterizedTest
  @MethodSource("outboxes")
  void aDestinationThatIsDownHarmsNobody(Product product, StoreKind kind) throws Exception {
    try (Scene scene = product.scene(kind);
        OpenOutbox<?> outbox = scene.database().open(kind, "test", new StopPoints())) {
      new Run<>(outbox.store(), kind, product + " " + kind).play();
    }
  }

  private static final class Run<T> {
    private final OutboxStore<T> store;
    private final StoreKind kind;
    private final String name;
    private final Outbox<T> outbox;
    private final SwitchedSender sender = new SwitchedSender();
    private final AtomicLong downAt = new AtomicLong();
    private final AtomicInteger toldDown = new AtomicInteger();
    private final AtomicInteger repeatedAttempts = new AtomicInteger();
    private final RelayOptions options = RelayOptions.defaults().withName("relay");
    private int appended;

    Run(OutboxStore<T> store, StoreKind kind, String name) {
      this.store = store;
      this.kind = kind;
      this.name = name;
      this.outbox = Outbox.over(store);
    }

    void play() throws Exception {
      try (OutboxRelay relay =
              OutboxRelay.builder(store, sender).options(options).observer(this::hear).build();
          LogLines lines = LogLines.count()) {
        relay.start();
        append();
        awaitArrivals(UP);
        awaitArrivals(DOWN);
        sender.switchOff(DOWN);
        long heapBefore = heap();
        long began = System.nanoTime();
        while (System.nanoTime() - began < DOWN_FOR.toNanos() || appended < AT_LEAST) {
          append();
        }
        awaitArrivals(UP);
        Eventually.await(
            PATIENCE,
            () -> probes().size() >= 2,
            () -> "it is not tried: " + sender.refusedAt().size());
        int seconds = (int) Duration.ofNanos(System.nanoTime() - downAt.get()).toSeconds();
        List<Long> probes = probes();
        lines.close();
        long heapGrowth = (heap() - heapBefore) / MEGABYTE;
        int waiting = appended - sender.arrivedAt(DOWN);
        System.out.printf(
            "%s: down for %s, %d messages wait, %d probes, heap grew by %d MB, %d log lines%n",
            name,
            Duration.ofNanos(System.nanoTime() - began),
            waiting,
            probes.size(),
            heapGrowth,
            lines.counted());

        assertThat(toldDown).as("told").hasValue(1);
        assertThat(probes).as("one probe a second").hasSizeLessThanOrEqualTo(seconds + 2);
        assertThat(heapGrowth)
            .as("MB that the heap grew by, while %d messages of 8 kB wait", waiting)
            .isLessThan(64);
        assertThat(lines.counted()).as("log lines").isBetween(1, 3);

        sender.switchOn(DOWN);
        awaitArrivals(DOWN);
        relay.stop();
      }
      assertThat(store.blocked()).isEmpty();
      assertThat(store.backlog().dead()).isZero();
      assertThat(repeatedAttempts.get())
          .as("attempts that were used up")
          .isLessThanOrEqualTo(options.breakAfter());
      if (kind == StoreKind.ORDERED) {
        assertThat(sender.outOfOrderAt(DOWN) + sender.outOfOrderAt(UP)).as("out of order").isZero();
      }
    }

    private void hear(OutboxSignal signal) {
      if (signal instanceof OutboxSignal.DestinationDown) {
        downAt.set(System.nanoTime());
        toldDown.incrementAndGet();
      } else if (signal instanceof OutboxSignal.Delivered delivered) {
        repeatedAttempts.addAndGet(delivered.attempt() - 1);
      }
    }

    /** Some messages to each of the two, in one transaction. */
    private void append() {
      List<Message> messages = new ArrayList<>();
      for (int i = 0; i < BATCH; i++) {
        messages.add(message(DOWN, appended));
        messages.add(message(UP, appended));
        appended++;
      }
      store.transactions().run(transaction -> outbox.appendAll(messages));
    }

    private static Message message(String destination, int number) {
      return Message.event("Booked")
          .to(destination)
          .key("account-" + number % KEYS)
          .header(SwitchedSender.NUMBER, Integer.toString(number))
          .json("\"" + PADDING + "\"")
          .build();
    }

    /** However long it takes, while some arrive. */
    private void awaitArrivals(String destination) throws Exception {
      for (int before = sender.arrivedAt(destination);
          before < appended;
          before = sender.arrivedAt(destination)) {
        int arrived = before;
        Eventually.await(
            PATIENCE,
            () -> sender.arrivedAt(destination) > arrived,
            () ->
                "%s: %d of %d have arrived at %s, and no more; set aside: %s"
                    .formatted(name, arrived, appended, destination, store.blocked()));
      }
    }

    private List<Long> probes() {
      long since = downAt.get();
      return since == 0
          ? List.of()
          : sender.refusedAt().stream().filter(at -> at - since > 0).toList();
    }
  }

  /** Bytes that are in use once everything that is not has been collected. */
  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Counts the lines that are logged until it is closed, and passes them on. */
  private static final class LogLines implements AutoCloseable {
    private final PrintStream before = System.err;
    private final AtomicInteger lines = new AtomicInteger();

    static LogLines count() {
      LogLines counter = new LogLines();
      System.setErr(
          new PrintStream(
              new OutputStream() {
                @Override
                public void write(int letter) {
                  if (letter == '\n') {
                    counter.lines.incrementAndGet();
                  }
                  counter.before.write(letter);
                }
              },
              true,
              StandardCharsets.UTF_8));
      return counter;
    }

    @Override
    public void close() {
      System.setErr(before);
    }

    int counted() {
      return lines.get();
    }
  }
}
