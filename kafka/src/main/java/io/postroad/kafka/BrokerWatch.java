package io.postroad.kafka;

import io.postroad.internal.loop.Ticker;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that no broker answers, and once that one does again: the client reconnects by itself
 * and its polls just bring nothing meanwhile. Brokers answer fetches and heartbeats all the time,
 * so bytes that do not come tell. Used by one thread.
 */
final class BrokerWatch {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaReceiver.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private final String name;
  private final DoubleSupplier bytesHeard;
  private final Duration silentFor;
  private final Ticker ticker;
  private double heard = -1;
  private long heardAt;
  private long lookedAt;
  private boolean silent;

  BrokerWatch(String name, DoubleSupplier bytesHeard, Duration silentFor, Ticker ticker) {
    this.name = name;
    this.bytesHeard = bytesHeard;
    this.silentFor = silentFor;
    this.ticker = ticker;
    this.heardAt = ticker.nanos();
    this.lookedAt = heardAt;
  }

  void look() {
    if (ticker.since(lookedAt).compareTo(LOOK_EVERY) < 0) {
      return;
    }
    lookedAt = ticker.nanos();
    double total = bytesHeard.getAsDouble();
    if (total != heard) {
      heard = total;
      heardAt = lookedAt;
      if (silent) {
        silent = false;
        LOG.info("{}: a broker answers again", name);
      }
    } else if (!silent && ticker.since(heardAt).compareTo(silentFor) >= 0) {
      silent = true;
      LOG.warn(
          "{}: no broker has answered for {}, the client keeps trying; nothing is received",
          name,
          silentFor);
    }
  }

  boolean isSilent() {
    return silent;
  }

  /** What a consumer has read from all its connections so far. */
  static double bytesHeard(Consumer<?, ?> consumer) {
    return consumer.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals("incoming-byte-total"))
        .filter(metric -> metric.metricName().tags().size() == 1)
        .map(Metric::metricValue)
        .mapToDouble(value -> value instanceof Number number ? number.doubleValue() : 0)
        .sum();
  }
}
