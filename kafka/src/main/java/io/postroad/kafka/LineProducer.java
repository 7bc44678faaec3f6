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
 * A producer that sends in transactions, from its beginning, which fences every earlier one of the
 * same transactional id, to its first transaction that fails. Blocks; used by one thread, except
 * for {@link #close()}.
 */
final class LineProducer {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSender.class);

  private final String id;
  private final Producers producers;
  private final ProducerSession session;
  private final BiFunction<ProducerSession, Withheld, Handover> handovers;
  private final Withheld withheld = new Withheld();
  private final AtomicBoolean closed = new AtomicBoolean();

  private LineProducer(
      String id,
      Producers producers,
      ProducerSession session,
      BiFunction<ProducerSession, Withheld, Handover> handovers) {
    this.id = id;
    this.producers = producers;
    this.session = session;
    this.handovers = handovers;
  }

  /**
   * What the earlier one had not committed is aborted when this returns.
   *
   * @throws KafkaException when that cannot be had within {@code max.block.ms}
   */
  static LineProducer begin(
      String id, Producers producers, BiFunction<ProducerSession, Withheld, Handover> handovers) {
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
    return new LineProducer(id, producers, session, handovers);
  }

  /** What became of the messages of a transaction; empty failure means that it is committed. */
  record Result(List<SendOutcome> outcomes, @Nullable String failure) {}

  /** Sends the messages in one transaction. After a failure the producer is to be closed. */
  Result send(List<Message> messages) {
    List<CompletableFuture<SendOutcome>> deliveries = new ArrayList<>(messages.size());
    try {
      session.producer().beginTransaction();
      handovers.apply(session, withheld).run(messages).stream()
          .map(CompletionStage::toCompletableFuture)
          .forEach(deliveries::add);
      // A commit waits for max.block.ms only, which is short for messages on a slow way.
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
   * Keeps the outcome of a message that was refused or whose partition could not be reached: it is
   * the reason why the transaction was not committed.
   */
  private static SendOutcome uncommitted(CompletableFuture<SendOutcome> delivery, String failure) {
    SendOutcome outcome = delivery.getNow(notCommitted(failure));
    boolean ofItsOwn =
        outcome instanceof Rejected || (outcome instanceof Unknown unknown && unknown.onlyItsKey());
    return ofItsOwn ? outcome : notCommitted(failure);
  }

  private static Unknown notCommitted(String failure) {
    return new Unknown("its transaction was not committed, as far as is known: " + failure);
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

  /** Ends an open transaction, so that nobody waits for it. Does nothing when it was taken over. */
  void abort() {
    try {
      session.producer().abortTransaction();
    } catch (RuntimeException e) {
      // The next owner's beginning ends it, or its timeout does.
      LOG.debug("could not abort the transaction of {}", id, e);
    }
  }

  /** Ends it; what is in flight becomes Unknown. Does not wait for the broker. */
  void close() {
    if (closed.compareAndSet(false, true)) {
      producers.retire(session);
    }
  }
}
