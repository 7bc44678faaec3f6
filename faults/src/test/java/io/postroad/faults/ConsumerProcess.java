package io.postroad.faults;

import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxOptions;
import io.postroad.inbox.InboxSignal;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.RelayOptions;
import io.postroad.schema.SchemaMode;
import java.time.Duration;

/**
 * A receiver with its inbox in a process of its own, to be killed. Prints a line for each message
 * that it has got before.
 */
final class ConsumerProcess {
  static final String REPEATED = "REPEATED ";

  /**
   * The shortest that {@link InboxOptions} takes for these times: a dead process holds its lane.
   */
  private static final Duration HANDLER_TIMEOUT = Duration.ofSeconds(2);

  private static final Duration QUEUE_FOR = Duration.ofSeconds(1);
  private static final Duration LANE_LEASE = Duration.ofMillis(4_500);

  private ConsumerProcess() {}

  public static void main(String[] line) throws Exception {
    ConsumerArgs args = ConsumerArgs.parse(line);
    try (OpenInbox<?> database = args.database().openInbox(args.name(), SchemaMode.VERIFY)) {
      run(args, database);
    }
  }

  private static <T> void run(ConsumerArgs args, OpenInbox<T> database) throws Exception {
    Handlers<T> handlers =
        Handlers.<T>builder()
            .onAny(args.destination(), "booking", new StumblingHandler<>(database.effects()))
            .build();
    try (Inbox<T> inbox =
            Inbox.builder(database.inbox(), handlers)
                .retries(database.retries())
                .options(options(args.name()))
                .observer(ConsumerProcess::tell)
                .build();
        AutoCloseable receiver = args.broker().receive(args.address(), args.destination(), inbox)) {
      inbox.start();
      HandlerChild.stayReady();
    }
  }

  private static InboxOptions options(String name) {
    InboxOptions options = InboxOptions.defaults().withName(name).withConcurrency(2);
    RelayOptions retries =
        options
            .retries()
            .withLaneLeaseFor(LANE_LEASE)
            .withMaxAttempts(1000)
            .withBackoff(
                Backoff.defaults()
                    .withFirst(Duration.ofMillis(100))
                    .withMax(Duration.ofMillis(500)));
    return options.withTimes(HANDLER_TIMEOUT, QUEUE_FOR, retries);
  }

  private static void tell(InboxSignal signal) {
    if (signal instanceof InboxSignal.Repeated repeated) {
      System.out.println(REPEATED + repeated.message().messageId());
    }
  }
}
