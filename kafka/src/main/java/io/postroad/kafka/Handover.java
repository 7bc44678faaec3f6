package io.postroad.kafka;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Passes one batch to a producer, in order, in bounded time. Used once, by one thread.
 *
 * <p>If the producer refuses a message (too large for the client, no metadata, no buffer space),
 * the message was never sent and no later message of its key follows it. So the producer stays
 * open; closing it would disturb other sends. The rest of the key is skipped to keep its order.
 */
final class Handover {
  private final ProducerSession session;
  private final UnknownTopics unknownTopics;
  private final LongSupplier nanoTicker;
  private final long mayBlockUntil;
  private final SkippedKeys skipped;
  private final Partitions.View partitions;

  Handover(
      ProducerSession session,
      SkippedKeys skipped,
      Partitions partitions,
      UnknownTopics unknownTopics,
      Duration maxBlock,
      LongSupplier nanoTicker) {
    this.session = session;
    this.skipped = skipped;
    this.partitions = partitions.view(session.producer());
    this.unknownTopics = unknownTopics;
    this.nanoTicker = nanoTicker;
    this.mayBlockUntil = nanoTicker.getAsLong() + maxBlock.toNanos();
  }

  List<CompletionStage<SendOutcome>> run(List<Message> messages) {
    List<CompletionStage<SendOutcome>> outcomes = new ArrayList<>(messages.size());
    for (Message message : messages) {
      outcomes.add(handOver(message));
    }
    return outcomes;
  }

  private CompletableFuture<SendOutcome> handOver(Message message) {
    if (skipped.contains(message)) {
      return done(
          SendFailure.notHandedOver(message, "an earlier message of its key was not handed over"));
    }
    if (skipped.containsUnreachable(message)) {
      return done(
          Unknown.onlyItsKey(
              SendFailure.notHandedOver(message, "the partition of its key could not be reached")
                  .error()));
    }
    Throwable unknownTopic = unknownTopics.refusal(message.destination());
    if (unknownTopic != null) {
      return done(notTaken(message, unknownTopic));
    }
    String stop = reasonToStop();
    if (stop != null) {
      return done(SendFailure.notHandedOver(message, stop));
    }
    ProducerSession.Delivery delivery = session.handOver(message, partitions);
    Unknown unreachable = delivery.unreachable();
    if (unreachable != null) {
      if (unreachable.onlyItsKey()) {
        skipped.addUnreachable(message);
      } else {
        skipped.add(message);
      }
      delivery.complete(unreachable);
      return delivery;
    }
    Throwable refusal = delivery.refusal();
    if (refusal != null) {
      learn(message, refusal);
      delivery.complete(notTaken(message, refusal));
    }
    return delivery;
  }

  private SendOutcome notTaken(Message message, Throwable refusal) {
    skipped.add(message);
    return SendFailure.atHandOver(message, refusal);
  }

  private @Nullable String reasonToStop() {
    if (session.isOver()) {
      skipped.stop("a message before it failed, or the sender was closed");
    } else if (nanoTicker.getAsLong() - mayBlockUntil >= 0) {
      skipped.stop("the producer blocked for max.block.ms on messages before it");
    }
    return skipped.stopped();
  }

  private void learn(Message message, Throwable refusal) {
    if (SendFailure.isUnknownTopic(refusal)) {
      unknownTopics.add(message.destination());
    }
    if (refusal instanceof InterruptException) {
      skipped.stop("the thread was interrupted");
    }
  }

  private static CompletableFuture<SendOutcome> done(SendOutcome outcome) {
    return CompletableFuture.completedFuture(outcome);
  }
}
