package io.postroad.kafka;

import io.postroad.internal.loop.Ticker;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once that no broker answers, and once that a broker answers again. The client reconnects by
 * itself, and its polls return nothing meanwhile. Brokers answer fetches and heartbeats all the
 * time, so a standstill of received bytes shows that they are unreachable. Used by one thread.
 */
final class BrokerWatch {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaReceiver.class);
  private static final Duration CHECK_EVERY = Duration.ofSeconds(1);

  private final String name;
  private final DoubleSupplier bytesReceived;
  private final Duration silentFor;
  private final Ticker ticker;
  private double received = -1;
  private long receivedAt;
  private long checkedAt;
  private boolean silent;

  BrokerWatch(String name, DoubleSupplier bytesReceived, Duration silentFor, Ticker ticker) {
    this.name = name;
    this.bytesReceived = bytesReceived;
    this.silentFor = silentFor;
    this.ticker = ticker;
    this.receivedAt = ticker.nanos();
    this.checkedAt = receivedAt;
  }

  void check() {
    if (ticker.since(checkedAt).compareTo(CHECK_EVERY) < 0) {
      return;
    }
    checkedAt = ticker.nanos();
    double total = bytesReceived.getAsDouble();
    if (total != received) {
      received = total;
      receivedAt = checkedAt;
      if (silent) {
        silent = false;
        LOG.info("{}: a broker answers again", name);
      }
    } else if (!silent && ticker.since(receivedAt).compareTo(silentFor) >= 0) {
      silent = true;
      LOG.warn(
          "{}: no broker has answered for {}, no messages are received; the client keeps trying",
          name,
          silentFor);
    }
  }

  boolean isSilent() {
    return silent;
  }

  /** Returns the bytes that a consumer has received on all its connections. */
  static double bytesReceived(Consumer<?, ?> consumer) {
    return consumer.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals("incoming-byte-total"))
        .filter(metric -> metric.metricName().tags().size() == 1)
        .map(Metric::metricValue)
        .mapToDouble(value -> value instanceof Number number ? number.doubleValue() : 0)
        .sum();
  }
}
