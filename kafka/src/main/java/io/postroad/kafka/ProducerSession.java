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
 * One producer, from its first message to the first failure.
 *
 * <p>When a message that the producer had taken fails, the callback closes the producer at once. It
 * runs on the producer's only network thread, which therefore sends nothing more: without this the
 * client renumbers the messages behind the failed one and sends them (seen: 45 of 100 overtook).
 * With one request in flight nothing of the same partition is on the wire behind the failed one
 * either. Whatever had no answer yet is then aborted by the client, and so Unknown.
 *
 * <p>Thread-safe. {@link #isOver()} never turns back.
 */
final class ProducerSession {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSender.class);

  /** What becomes of the producer when a message that it had taken fails. */
  enum AtFailure {
    /** Closed in the failing callback, so that nothing overtakes. */
    CLOSE,
    /** Its transaction cannot be committed any more; whoever began it ends it. */
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
   * Whether it ended because the broker refuses batches for their size, not a message for its own.
   *
   * <p>Clients split such a batch by {@code batch.size}; before 4.1 they do so again and again
   * without end when the topic's {@code max.message.bytes} is the smaller of the two, until all of
   * it times out (seen with 3.9.2). Good messages would never arrive, and a bad one not be found.
   */
  boolean batchesWereTooLarge() {
    return batchesWereTooLarge;
  }

  /** Whether the broker has still to answer for something. */
  boolean hasInFlight() {
    return inFlight.get() > 0;
  }

  /** Gives one message to the producer, unless its partition cannot be reached. */
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

  /** Ends it; what is in flight becomes Unknown. Does not wait for the broker. */
  void close() {
    over.set(true);
    try {
      producer.close(Duration.ZERO);
    } catch (RuntimeException e) {
      LOG.warn("{}: closing the producer failed, error={}", senderName, SendFailure.describe(e));
    }
  }

  /** Returns whether this is the first failure. */
  private boolean failed(Message message, Exception failure) {
    if (failure instanceof TimeoutException && !isOver() && hasSplitBatches()) {
      batchesWereTooLarge = true;
    }
    boolean first = over.compareAndSet(false, true);
    if (first && atFailure == AtFailure.CLOSE) {
      LOG.warn(
          "{}: closed the producer because a message failed and none may overtake it, message={},"
              + " error={}; what had no answer yet is unknown and is sent again",
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
   * One message on its way, which completes when the broker has answered, by the producer's network
   * thread; one that the producer did not take is completed by whoever handed it over. It is future
   * and callback in one because there are as many as messages.
   */
  final class Delivery extends CompletableFuture<SendOutcome> implements Callback {
    private final Message message;

    /** The thread inside {@code producer.send}; refusals of the client itself come back on it. */
    private volatile @Nullable Thread handingOver = Thread.currentThread();

    private final long handedOverAt = System.nanoTime();
    private @Nullable Throwable refusal;
    private @Nullable Unknown unreachable;

    private Delivery(Message message) {
      this.message = message;
    }

    /** Its outcome when it was not given to the producer because of its partition, or null. */
    @Nullable Unknown unreachable() {
      return unreachable;
    }

    /** Why the producer did not take it, or null when it did. */
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
        // The client fails all of a transaction with the error of the one that was refused.
        complete(SendFailure.inFailedTransaction(message, failure));
      }
    }

    /**
     * Whether brokers took other messages while this one waited for its partition's. A transaction
     * takes nothing more while it waits, so any will do there; else the brokers may have stopped
     * right after.
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
