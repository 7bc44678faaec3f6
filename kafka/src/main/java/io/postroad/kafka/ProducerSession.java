package io.postroad.kafka;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Accepted;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns one producer, from its first message to the first failure.
 *
 * <p>When a message fails after the producer has accepted it, the callback closes the producer at
 * once. The callback runs on the producer's only network thread, so that thread sends nothing more.
 * Otherwise the client would renumber the messages behind the failed one and send them (seen: 45 of
 * 100 overtook). With one request in flight, no message of the same partition is on the wire behind
 * the failed one either. The client then aborts all messages without an answer, so they are
 * Unknown.
 *
 * <p>Thread-safe. Once {@link #isOver()} returns true, it stays true.
 */
final class ProducerSession {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSender.class);

  /** The treatment of the producer when a message fails after the producer has accepted it. */
  enum AtFailure {
    /** Closes the producer in the failing callback, so that no later message overtakes. */
    CLOSE,
    /** Leaves it to the caller to abort the transaction, which cannot be committed any more. */
    LEAVE_TO_TRANSACTION
  }

  private final String senderName;
  private final Producer<byte[], byte[]> producer;
  private final RecordMapper mapper;
  private final AtFailure atFailure;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Receipts receipts = new Receipts();
  private final Partitions partitions;
  private volatile long acceptedAt = System.nanoTime();
  private volatile boolean batchesWereTooLarge;

  ProducerSession(
      String senderName,
      Producer<byte[], byte[]> producer,
      RecordMapper mapper,
      Partitions partitions,
      AtFailure atFailure) {
    this.partitions = partitions;
    this.senderName = senderName;
    this.producer = producer;
    this.mapper = mapper;
    this.atFailure = atFailure;
  }

  Producer<byte[], byte[]> producer() {
    return producer;
  }

  boolean isOver() {
    return over.get();
  }

  /**
   * Returns whether the session ended because the broker refuses batches for their size, and not a
   * single message for its size.
   *
   * <p>Clients split such a batch by {@code batch.size}. Before 4.1 they repeat that without end if
   * the topic's {@code max.message.bytes} is smaller, until all messages time out (seen with
   * 3.9.2). Then valid messages never arrive, and the one that is too large is not identified.
   */
  boolean batchesWereTooLarge() {
    return batchesWereTooLarge;
  }

  /** Returns whether messages wait for the broker's answer. */
  boolean hasInFlight() {
    return inFlight.get() > 0;
  }

  /** Hands one message to the producer, unless its partition cannot be reached. */
  Delivery handOver(Message message, Partitions.View view) {
    Delivery delivery = new Delivery(message);
    inFlight.incrementAndGet();
    try {
      delivery.unreachable = view.refusal(message);
      if (delivery.unreachable != null) {
        inFlight.decrementAndGet();
        delivery.handingOver = null;
        return delivery;
      }
      var unused = producer.send(mapper.record(message), delivery);
    } catch (RuntimeException notTaken) {
      inFlight.decrementAndGet();
      delivery.notTaken(notTaken);
    }
    delivery.handingOver = null;
    return delivery;
  }

  /** Closes the producer without waiting for the broker. Messages in flight become Unknown. */
  void close() {
    over.set(true);
    try {
      producer.close(Duration.ZERO);
    } catch (RuntimeException e) {
      LOG.warn("{}: closing the producer failed, error={}", senderName, SendFailure.describe(e));
    }
  }

  /** Ends the session after a failure. Returns whether this is the first failure. */
  private boolean failed(Message message, Exception failure) {
    if (failure instanceof TimeoutException && !isOver() && hasSplitBatches()) {
      batchesWereTooLarge = true;
    }
    boolean first = over.compareAndSet(false, true);
    if (first && atFailure == AtFailure.CLOSE) {
      LOG.warn(
          "{}: closed the producer because a message failed and no later message may overtake it,"
              + " message={}, error={}; messages without an answer are unknown and are sent again",
          senderName,
          message,
          SendFailure.describe(failure));
      close();
    }
    return first;
  }

  private boolean hasSplitBatches() {
    return producer.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals("batch-split-total"))
        .anyMatch(
            metric -> metric.metricValue() instanceof Number total && total.doubleValue() > 0);
  }

  /**
   * One message in flight. The producer's network thread completes it when the broker has answered.
   * The caller completes a message that the producer refused. Future and callback are the same
   * object, because there is one per message.
   */
  final class Delivery extends CompletableFuture<SendOutcome> implements Callback {
    private final Message message;

    /**
     * The thread inside {@code producer.send}; the client reports its own refusals on that thread.
     */
    private volatile @Nullable Thread handingOver = Thread.currentThread();

    private final long handedOverAt = System.nanoTime();
    private @Nullable Throwable refusal;
    private @Nullable Unknown unreachable;

    private Delivery(Message message) {
      this.message = message;
    }

    /**
     * Returns the outcome of a message that was not handed over because of its partition, or null.
     */
    @Nullable Unknown unreachable() {
      return unreachable;
    }

    /** Returns the reason why the producer refused the message, or null. */
    @Nullable Throwable refusal() {
      return refusal;
    }

    @Override
    public void onCompletion(RecordMetadata metadata, @Nullable Exception failure) {
      inFlight.decrementAndGet();
      if (failure == null) {
        acceptedAt = System.nanoTime();
        partitions.accepted(metadata.topic(), metadata.partition());
        complete(new Accepted(receipts.of(metadata)));
      } else if (Thread.currentThread() == handingOver) {
        notTaken(failure);
      } else if (failure instanceof TimeoutException && othersWereAccepted()) {
        timedOut(metadata, failure);
      } else if (failed(message, failure) || atFailure == AtFailure.CLOSE) {
        complete(SendFailure.afterHandOver(message, failure));
      } else {
        // The client fails all messages of a transaction with the error of the refused message.
        complete(SendFailure.inFailedTransaction(message, failure));
      }
    }

    /**
     * Returns whether brokers accepted other messages while this one waited for its partition. In a
     * transaction any accepted message counts, because the transaction gets no more messages while
     * it waits. Otherwise the other message must be accepted much later, because the brokers may
     * have stopped right after this one.
     */
    private boolean othersWereAccepted() {
      long later = atFailure == AtFailure.CLOSE ? partitions.patience() : 0;
      return acceptedAt - handedOverAt > later;
    }

    private void timedOut(@Nullable RecordMetadata metadata, Exception failure) {
      if (metadata != null && metadata.partition() >= 0) {
        partitions.timedOut(new TopicPartition(metadata.topic(), metadata.partition()));
      }
      failed(message, failure);
      complete(SendFailure.ofItsPartition(message, failure));
    }

    private void notTaken(Exception failure) {
      refusal = failure;
      if (atFailure == AtFailure.LEAVE_TO_TRANSACTION) {
        over.set(true);
      }
    }
  }
}
