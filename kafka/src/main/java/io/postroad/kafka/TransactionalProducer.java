package io.postroad.kafka;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A producer that sends in transactions. Its start fences every earlier producer of the same
 * transactional id, and its first failed transaction ends it. Its methods block. Used by one
 * thread, except for {@link #close()}.
 */
final class TransactionalProducer {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSender.class);

  private final String id;
  private final Producers producers;
  private final ProducerSession session;
  private final BiFunction<ProducerSession, SkippedKeys, Handover> handovers;
  private final SkippedKeys skipped = new SkippedKeys();
  private final AtomicBoolean closed = new AtomicBoolean();

  private TransactionalProducer(
      String id,
      Producers producers,
      ProducerSession session,
      BiFunction<ProducerSession, SkippedKeys, Handover> handovers) {
    this.id = id;
    this.producers = producers;
    this.session = session;
    this.handovers = handovers;
  }

  /**
   * Starts a producer and aborts the open transaction of the earlier one.
   *
   * @throws KafkaException if that takes longer than {@code max.block.ms}
   */
  static TransactionalProducer begin(
      String id,
      Producers producers,
      BiFunction<ProducerSession, SkippedKeys, Handover> handovers) {
    ProducerSession session = producers.lendTransactional(id);
    if (session == null) {
      throw new KafkaException("sender is closed");
    }
    try {
      session.producer().initTransactions();
    } catch (RuntimeException e) {
      producers.retire(session);
      throw e;
    }
    return new TransactionalProducer(id, producers, session, handovers);
  }

  /**
   * The outcomes of the messages of a transaction.
   *
   * @param failure null if the transaction is committed
   */
  record Result(List<SendOutcome> outcomes, @Nullable String failure) {}

  /** Sends the messages in one transaction. After a failure the caller must close the producer. */
  Result send(List<Message> messages) {
    List<CompletableFuture<SendOutcome>> deliveries = new ArrayList<>(messages.size());
    try {
      session.producer().beginTransaction();
      handovers.apply(session, skipped).run(messages).stream()
          .map(CompletionStage::toCompletableFuture)
          .forEach(deliveries::add);
      // A commit waits for max.block.ms only, which is too short for messages to a slow broker.
      session.producer().flush();
      session.producer().commitTransaction();
      return new Result(deliveries.stream().map(CompletableFuture::join).toList(), null);
    } catch (RuntimeException e) {
      String failure = describe(e);
      return new Result(
          deliveries.isEmpty()
              ? messages.stream().map(message -> (SendOutcome) notCommitted(failure)).toList()
              : deliveries.stream().map(each -> uncommitted(each, failure)).toList(),
          failure);
    }
  }

  /**
   * Returns the outcome of a message in a failed transaction. Keeps the outcome of a rejected
   * message or an unreachable partition, because it is the cause of the failure.
   */
  private static SendOutcome uncommitted(CompletableFuture<SendOutcome> delivery, String failure) {
    SendOutcome outcome = delivery.getNow(notCommitted(failure));
    boolean isCause =
        outcome instanceof Rejected || (outcome instanceof Unknown unknown && unknown.onlyItsKey());
    return isCause ? outcome : notCommitted(failure);
  }

  private static Unknown notCommitted(String failure) {
    return new Unknown("its transaction was not committed, as far as the sender knows: " + failure);
  }

  private String describe(RuntimeException failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof ProducerFencedException
          || each instanceof InvalidProducerEpochException) {
        return ("transactional id %s is used by another producer now: its lane was taken over, or"
                + " another outbox has the same transactionalIdPrefix")
            .formatted(id);
      }
    }
    Throwable cause = failure.getCause();
    return SendFailure.describe(cause == null ? failure : cause);
  }

  /**
   * Aborts an open transaction, so that consumers do not wait for it. Has no effect if another
   * producer has fenced this one.
   */
  void abort() {
    try {
      session.producer().abortTransaction();
    } catch (RuntimeException e) {
      // The start of the next owner ends the transaction, or its timeout does.
      LOG.debug("could not abort the transaction of {}", id, e);
    }
  }

  /** Closes the producer without waiting for the broker. Messages in flight become Unknown. */
  void close() {
    if (closed.compareAndSet(false, true)) {
      producers.retire(session);
    }
  }
}
