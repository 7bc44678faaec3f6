package io.postroad.kafka;

import io.postroad.kafka.ProducerSession.AtFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producers of a sender: one for all calls without a session, and one per open session.
 * Producers of sessions that ended without a failure are reused. Thread-safe.
 */
final class Producers {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSender.class);

  private final String senderName;
  private final RecordMapper mapper;
  private final Partitions partitions;
  private final Deque<ProducerSession> idle = new ArrayDeque<>();
  private final Set<ProducerSession> lent = new HashSet<>();
  private ProducerSettings settings;
  private @Nullable ProducerSession shared;
  private boolean closed;

  Producers(
      String senderName, ProducerSettings settings, RecordMapper mapper, Partitions partitions) {
    this.partitions = partitions;
    this.senderName = senderName;
    this.mapper = mapper;
    this.settings = settings;
  }

  /** Returns the producer for calls without a session, or null after a close. */
  synchronized @Nullable ProducerSession shared() {
    if (!closed && (shared == null || shared.isOver())) {
      learnFrom(shared);
      shared = newSession();
    }
    return closed ? null : shared;
  }

  /** Returns a producer for one session, or null after a close. */
  synchronized @Nullable ProducerSession lend() {
    if (closed) {
      return null;
    }
    ProducerSession lending = idle.isEmpty() ? newSession() : idle.pop();
    lent.add(lending);
    return lending;
  }

  /** Returns a producer with a transactional id, or null after a close. It is never reused. */
  synchronized @Nullable ProducerSession lendTransactional(String transactionalId) {
    if (closed) {
      return null;
    }
    ProducerSession lending =
        newSession(settings.withTransactionalId(transactionalId), AtFailure.LEAVE_TO_TRANSACTION);
    lent.add(lending);
    return lending;
  }

  /** Takes back a producer and closes it. */
  void retire(ProducerSession session) {
    synchronized (this) {
      lent.remove(session);
      learnFrom(session);
    }
    session.close();
  }

  /** Takes back a producer. It is reused only without messages in flight. */
  void giveBack(ProducerSession session) {
    if (!keep(session)) {
      // Outside the lock: closing waits for the network thread, whose callbacks may need the
      // lock.
      session.close();
    }
  }

  private synchronized boolean keep(ProducerSession session) {
    lent.remove(session);
    learnFrom(session);
    boolean good = !closed && !session.hasInFlight() && !session.isOver();
    if (good) {
      idle.push(session);
    }
    return good;
  }

  void close() {
    endAll().forEach(ProducerSession::close);
  }

  private synchronized List<ProducerSession> endAll() {
    closed = true;
    List<ProducerSession> all = new ArrayList<>(idle);
    all.addAll(lent);
    if (shared != null) {
      all.add(shared);
    }
    idle.clear();
    lent.clear();
    shared = null;
    return all;
  }

  private ProducerSession newSession() {
    return newSession(settings, AtFailure.CLOSE);
  }

  private ProducerSession newSession(ProducerSettings settings, AtFailure atFailure) {
    return new ProducerSession(
        senderName,
        new KafkaProducer<>(settings.map(), new ByteArraySerializer(), new ByteArraySerializer()),
        mapper,
        partitions,
        atFailure);
  }

  private void learnFrom(@Nullable ProducerSession ended) {
    if (ended == null || !ended.batchesWereTooLarge()) {
      return;
    }
    int tooLarge = settings.batchSize();
    settings = settings.withSmallerBatches();
    LOG.warn(
        "{}: a topic refuses batches of batch.size={}, continuing with batch.size={}; set it below"
            + " the smallest max.message.bytes of the topics",
        senderName,
        tooLarge,
        settings.batchSize());
  }
}
