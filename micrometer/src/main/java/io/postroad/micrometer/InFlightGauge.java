package io.postroad.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.postroad.command.CommandBus;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxWorkers;
import java.util.function.Supplier;

/**
 * {@code processing.inflight}: what this node works on now. Costs nothing but a look at a counter
 * in memory. Safe to use from many threads.
 */
public final class InFlightGauge implements AutoCloseable {
  private final MeterBook book;
  private final Meter gauge;

  private InFlightGauge(MeterRegistry registry, String part, Supplier<Number> count) {
    book = new MeterBook(registry);
    gauge = book.gauge(PostroadMeter.PROCESSING_INFLIGHT, count, part);
  }

  /**
   * Messages that a relay's sender has and whose outcome is not known.
   *
   * @param part the value of the tag {@code part}, for example {@code relay}
   */
  public static InFlightGauge of(MeterRegistry registry, String part, OutboxRelay relay) {
    return new InFlightGauge(registry, part, relay::inFlight);
  }

  /** Messages that workers work on. */
  public static InFlightGauge of(MeterRegistry registry, String part, OutboxWorkers<?> workers) {
    return new InFlightGauge(registry, part, workers::inFlight);
  }

  /** Commands that are handled. */
  public static InFlightGauge of(MeterRegistry registry, String part, CommandBus<?> bus) {
    return new InFlightGauge(registry, part, bus::inFlight);
  }

  /** Takes the gauge out of the registry. */
  @Override
  public void close() {
    book.remove(gauge);
  }
}
