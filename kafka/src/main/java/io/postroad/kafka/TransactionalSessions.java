package io.postroad.kafka;

import io.postroad.outbox.sender.SendSession;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** Opens the transactional sessions of lanes, each with its own transactional id. Thread-safe. */
final class TransactionalSessions {
  private final String prefix;
  private final Producers producers;
  private final BiFunction<ProducerSession, SkippedKeys, Handover> handovers;
  private final Duration timeout;
  private final Set<TransactionalSession> open = ConcurrentHashMap.newKeySet();

  TransactionalSessions(
      String prefix,
      Producers producers,
      BiFunction<ProducerSession, SkippedKeys, Handover> handovers,
      Duration timeout) {
    this.prefix = prefix;
    this.producers = producers;
    this.handovers = handovers;
    this.timeout = timeout;
  }

  SendSession open(String lane) {
    String id = prefix + "-" + lane;
    TransactionalSession session =
        new TransactionalSession(id, () -> begin(id), timeout, open::remove);
    open.add(session);
    session.start();
    return session;
  }

  private TransactionalProducer begin(String id) {
    return TransactionalProducer.begin(id, producers, handovers);
  }

  void close() {
    List.copyOf(open).forEach(TransactionalSession::close);
  }
}
