package io.postroad.faults;

import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxOptions;
import io.postroad.inbox.InboxSignal;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.schema.SchemaMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A relay, a broker's sender and receiver, and an inbox in a process of their own, so that what it
 * keeps in memory and what it logs is theirs alone. Prints {@value #READY}; each line on its input
 * is answered by {@value #FIGURES} with the bytes that are in use once everything that is not has
 * been collected, and how many messages came that had come before.
 */
final class StationProcess {
  static final String READY = "READY";
  static final String FIGURES = "FIGURES ";

  private static final int BATCH = 25;
  private static final Duration SEND_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration MARGIN = Duration.ofMillis(500);

  private final ConsumerArgs args;
  private final AtomicInteger repeated = new AtomicInteger();

  private StationProcess(ConsumerArgs args) {
    this.args = args;
  }

  public static void main(String[] line) throws Exception {
    ConsumerArgs args = ConsumerArgs.parse(line);
    DatabaseAddress outboxes = DatabaseAddress.parse(args.database().text());
    try (OpenInbox<?> inbox = args.database().openInbox(args.name(), SchemaMode.VERIFY);
        OpenOutbox<?> outbox = outboxes.open(StoreKind.ORDERED, args.name(), new StopPoints())) {
      new StationProcess(args).run(outbox, inbox);
    }
  }

  private <T> void run(OpenOutbox<?> outbox, OpenInbox<T> database) throws Exception {
    Handlers<T> handlers =
        Handlers.<T>builder()
            .onAny(
                args.destination(),
                "booking",
                (message, context) -> database.effects().add(context.transaction(), message))
            .build();
    try (Inbox<T> inbox =
            Inbox.builder(database.inbox(), handlers)
                .retries(database.retries())
                .options(InboxOptions.defaults().withName(args.name()))
                .observer(this::count)
                .build();
        MessageSender sender = args.broker().sender(args.address(), SEND_TIMEOUT);
        OutboxRelay relay =
            OutboxRelay.builder(outbox.store(), sender).options(options(sender)).build();
        AutoCloseable receiver = args.broker().receive(args.address(), args.destination(), inbox)) {
      inbox.start();
      relay.start();
      System.out.println(READY);
      answer();
    }
  }

  private RelayOptions options(MessageSender sender) {
    return RelayOptions.defaults()
        .withName(args.name())
        .withBatch(BATCH)
        .withMaxBatch(2 * BATCH)
        .withLaneLeaseFor(sender.timeout().plus(MARGIN))
        .withBackoff(
            Backoff.defaults().withFirst(Duration.ofMillis(200)).withMax(Duration.ofSeconds(1)));
  }

  private void count(InboxSignal signal) {
    if (signal instanceof InboxSignal.Repeated) {
      repeated.incrementAndGet();
    }
  }

  private void answer() throws IOException {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (input.readLine() != null) {
      System.gc();
      long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      System.out.println(FIGURES + used + " " + repeated.get());
    }
  }
}
