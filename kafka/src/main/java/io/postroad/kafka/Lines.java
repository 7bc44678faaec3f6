package io.postroad.kafka;

import io.postroad.outbox.sender.SendSession;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** Sessions of lines, each with a transactional id of its own. Thread-safe. */
final class Lines {
  private final String prefix;
  private final Producers producers;
  private final BiFunction<ProducerSession, Withheld, Handover> handovers;
  private final Duration timeout;
  private final Set<TransactionalSession> open = ConcurrentHashMap.newKeySet();

  Lines(
      String prefix,
      Producers producers,
      BiFunction<ProducerSession, Withheld, Handover> handovers,
      Duration timeout) {
    this.prefix = prefix;
    this.producers = producers;
    this.handovers = handovers;
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
    return LineProducer.begin(id, producers, handovers);
  }

  void close() {
    List.copyOf(open).forEach(TransactionalSession::close);
  }
}
