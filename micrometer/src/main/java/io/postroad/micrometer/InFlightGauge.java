package io.postroad.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.postroad.command.CommandBus;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxWorkers;
import java.util.function.Supplier;

/**
 * The gauge {@code processing.inflight}: messages or commands that this node works on now. It reads
 * a counter in memory. Safe to use from many threads.
 */
public final class InFlightGauge implements AutoCloseable {
  private final MeterBook book;
  private final Meter gauge;

  private InFlightGauge(MeterRegistry registry, String part, Supplier<Number> count) {
    book = new MeterBook(registry);
    gauge = book.gauge(PostroadMeter.PROCESSING_INFLIGHT, count, part);
  }

  /**
   * Counts messages that a relay has sent, until their outcome is known.
   *
   * @param part the value of the tag {@code part}, for example {@code relay}
   */
  public static InFlightGauge of(MeterRegistry registry, String part, OutboxRelay relay) {
    return new InFlightGauge(registry, part, relay::inFlight);
  }

  /** Counts messages that workers work on. */
  public static InFlightGauge of(MeterRegistry registry, String part, OutboxWorkers<?> workers) {
    return new InFlightGauge(registry, part, workers::inFlight);
  }

  /** Counts commands that handlers work on. */
  public static InFlightGauge of(MeterRegistry registry, String part, CommandBus<?> bus) {
    return new InFlightGauge(registry, part, bus::inFlight);
  }

  /** Removes the gauge from the registry. */
  @Override
  public void close() {
    book.remove(gauge);
  }
}
