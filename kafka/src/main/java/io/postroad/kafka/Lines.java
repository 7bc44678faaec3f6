package io.postroad.kafka;

import io.postroad.outbox.SendSession;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions of lines, each with a transactional id of its own. Thread-safe.
 *
 * <p>A transaction that has reached a partition cannot end while that partition has no leader, and
 * until it ends nobody can use its transactional id. So a line has a second id for that time. Who
 * takes a line over fences both.
 */
final class Lines {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSender.class);
  private static final String SECOND = "-2";
  private static final Duration UNFINISHED_FOR = Duration.ofSeconds(30);

  private final String prefix;
  private final Producers producers;
  private final BiFunction<ProducerSession, Withheld, Handover> handovers;
  private final UnfinishedTransactions unfinished;
  private final Duration timeout;
  private final Set<TransactionalSession> open = ConcurrentHashMap.newKeySet();

  /** Ids whose second ids this sender has fenced. */
  private final Set<String> fenced = ConcurrentHashMap.newKeySet();

  /** Ids whose last transaction could not end, and when that was seen. */
  private final Map<String, Long> unfinishedAt = new ConcurrentHashMap<>();

  Lines(
      String prefix,
      Producers producers,
      BiFunction<ProducerSession, Withheld, Handover> handovers,
      UnfinishedTransactions unfinished,
      Duration timeout) {
    this.prefix = prefix;
    this.producers = producers;
    this.handovers = handovers;
    this.unfinished = unfinished;
    this.timeout = timeout;
  }

  SendSession open(String line) {
    String id = prefix + "-" + line;
    TransactionalSession session =
        new TransactionalSession(id, () -> begin(id), timeout, open::remove);
    open.add(session);
    session.start();
    return session;
  }

  private LineProducer begin(String id) {
    fenceSecond(id);
    if (isUnfinished(id)) {
      return beginOne(id + SECOND);
    }
    try {
      return beginOne(id);
    } catch (TimeoutException late) {
      if (!unfinished.has(id)) {
        throw late;
      }
      LOG.warn(
          "kafka: the last transaction of transactionalId={} cannot end, a partition in it may have"
              + " no leader; going on with transactionalId={}",
          id,
          id + SECOND);
      unfinishedAt.put(id, System.nanoTime());
      return beginOne(id + SECOND);
    }
  }

  private boolean isUnfinished(String id) {
    Long seen = unfinishedAt.get(id);
    return seen != null && System.nanoTime() - seen < UNFINISHED_FOR.toNanos();
  }

  /** The last owner of the line may have used it; this sender's own sessions end before. */
  private void fenceSecond(String id) {
    if (!fenced.contains(id)) {
      try {
        beginOne(id + SECOND).close();
      } catch (KafkaException notFenced) {
        if (!unfinished.has(id + SECOND)) {
          throw notFenced;
        }
      }
      fenced.add(id);
    }
  }

  private LineProducer beginOne(String id) {
    return LineProducer.begin(id, producers, handovers);
  }

  void close() {
    List.copyOf(open).forEach(TransactionalSession::close);
  }
}
