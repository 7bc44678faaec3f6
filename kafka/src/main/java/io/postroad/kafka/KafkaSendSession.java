package io.postroad.kafka;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * A session that keeps the order between calls. It has its own producer and ends at the first
 * failure.
 */
final class KafkaSendSession implements SendSession {
  private final Producers producers;
  private final BiFunction<ProducerSession, SkippedKeys, Handover> handovers;
  private final SkippedKeys skipped = new SkippedKeys();
  private @Nullable ProducerSession producer;

  KafkaSendSession(
      Producers producers, BiFunction<ProducerSession, SkippedKeys, Handover> handovers) {
    this.producers = producers;
    this.handovers = handovers;
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    if (skipped.stopped() == null && producer == null) {
      borrow();
    }
    if (producer == null) {
      return KafkaSender.unknown(messages, "not handed over: " + skipped.stopped());
    }
    return handovers.apply(producer, skipped).run(messages);
  }

  private void borrow() {
    try {
      producer = producers.lend();
      if (producer == null) {
        skipped.stop("sender is closed");
      }
    } catch (KafkaException e) {
      skipped.stop("could not create a producer: " + SendFailure.describe(e));
    }
  }

  @Override
  public void close() {
    skipped.stop("the session is closed");
    if (producer != null) {
      producers.giveBack(producer);
      producer = null;
    }
  }
}
