package io.postroad.faults;

import io.postroad.inbox.Handlers;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.OutboxWorkers;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.WorkerOptions;
import io.postroad.schema.SchemaMode;
import java.time.Duration;

/**
 * Workers in a process of their own, to be killed. Prints a line for each message that it took over
 * from workers whose lease was over. Its arguments: a name, and a {@link HandlerDatabase}.
 */
final class WorkerProcess {
  static final String STREAM = "bookings";
  static final String TAKEN_OVER = "TAKEN-OVER ";

  private static final int CONCURRENCY = 4;

  /** How long what a dead process had claimed waits. */
  private static final Duration LEASE = Duration.ofSeconds(4);

  private WorkerProcess() {}

  public static void main(String[] args) throws Exception {
    String name = args[0];
    HandlerDatabase database = HandlerDatabase.parse(args[1]);
    try (OpenStreams<?> streams = database.openStreams(name, SchemaMode.VERIFY)) {
      work(name, streams);
    }
  }

  private static <T> void work(String name, OpenStreams<T> streams) throws Exception {
    Handlers<T> handlers =
        Handlers.<T>builder()
            .onAny(STREAM, "booking", new StumblingHandler<>(streams.effects()))
            .build();
    try (OutboxWorkers<T> workers =
        OutboxWorkers.builder(streams.store(), handlers.work())
            .options(options(name))
            .observer(WorkerProcess::tell)
            .build()) {
      workers.start();
      HandlerChild.stayReady();
    }
  }

  private static WorkerOptions options(String name) {
    RelayOptions relay =
        RelayOptions.defaults()
            .withName(name)
            .withLeaseFor(LEASE)
            // A kill costs an attempt of every message in flight; none may die of our kills.
            .withMaxAttempts(1000)
            .withBackoff(
                Backoff.defaults()
                    .withFirst(Duration.ofMillis(100))
                    .withMax(Duration.ofMillis(500)));
    return WorkerOptions.defaults().withRelay(relay).withConcurrency(CONCURRENCY);
  }

  private static void tell(OutboxSignal signal) {
    if (signal instanceof OutboxSignal.LeaseExpired expired) {
      System.out.println(TAKEN_OVER + expired.message().id());
    }
  }
}
