package io.postroad.outbox;

import io.postroad.internal.loop.Check;
import io.postroad.internal.loop.NodeName;
import java.util.Map;
import java.util.TreeMap;

/**
 * Options of {@link OutboxWorkers}. Immutable.
 *
 * @param relay name, lease, sweep, attempts, backoff, retention and drain time, as for a relay; its
 *     batches, lanes and circuit breaker are not used
 * @param concurrency messages of one stream that are worked on at once; 4. All streams together
 *     should stay below half the connection pool
 * @param streams streams with a concurrency of their own
 */
public record WorkerOptions(RelayOptions relay, int concurrency, Map<String, Integer> streams) {
  public WorkerOptions {
    Check.atLeast(1, concurrency, "WorkerOptions.concurrency");
    streams = Map.copyOf(streams);
    streams.forEach(
        (stream, own) -> Check.atLeast(1, own, "WorkerOptions.concurrency of '" + stream + "'"));
  }

  public static WorkerOptions defaults() {
    return new WorkerOptions(RelayOptions.defaults().withName(NodeName.of("worker")), 4, Map.of());
  }

  /** Returns how many messages of this stream are worked on at once. */
  public int concurrencyOf(String stream) {
    return streams.getOrDefault(stream, concurrency);
  }

  public WorkerOptions withRelay(RelayOptions relay) {
    return new WorkerOptions(relay, concurrency, streams);
  }

  public WorkerOptions withConcurrency(int concurrency) {
    return new WorkerOptions(relay, concurrency, streams);
  }

  public WorkerOptions withConcurrency(String stream, int concurrency) {
    Map<String, Integer> more = new TreeMap<>(streams);
    more.put(stream, concurrency);
    return new WorkerOptions(relay, this.concurrency, more);
  }
}
