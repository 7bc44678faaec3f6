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
 * Gives one batch to a producer, in order, in bounded time. Used once, by one thread.
 *
 * <p>A message that the producer does not take (too large for the client, no metadata, no buffer
 * space) was never on its way and nothing is behind it yet, so the producer can go on: closing it
 * would only disturb others. Its order is kept by withholding the rest of its key.
 */
final class Handover {
  private final ProducerSession session;
  private final UnknownTopics unknownTopics;
  private final LongSupplier nanoTicker;
  private final long mayBlockUntil;
  private final Withheld withheld;
  private final Partitions.View partitions;

  Handover(
      ProducerSession session,
      Withheld withheld,
      Partitions partitions,
      UnknownTopics unknownTopics,
      Duration maxBlock,
      LongSupplier nanoTicker) {
    this.session = session;
    this.withheld = withheld;
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
    if (withheld.holds(message)) {
      return done(
          SendFailure.notHandedOver(message, "an earlier message of its key was not handed over"));
    }
    if (withheld.holdsUnreachable(message)) {
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
        withheld.holdUnreachable(message);
      } else {
        withheld.hold(message);
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
    withheld.hold(message);
    return SendFailure.atHandOver(message, refusal);
  }

  private @Nullable String reasonToStop() {
    if (session.isOver()) {
      withheld.stop("a message before it failed, or the sender was closed");
    } else if (nanoTicker.getAsLong() - mayBlockUntil >= 0) {
      withheld.stop("the producer blocked for max.block.ms on messages before it");
    }
    return withheld.stopped();
  }

  private void learn(Message message, Throwable refusal) {
    if (SendFailure.isUnknownTopic(refusal)) {
      unknownTopics.add(message.destination());
    }
    if (refusal instanceof InterruptException) {
      withheld.stop("the thread was interrupted");
    }
  }

  private static CompletableFuture<SendOutcome> done(SendOutcome outcome) {
    return CompletableFuture.completedFuture(outcome);
  }
}
