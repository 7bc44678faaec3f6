package io.postroad.kafka;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Order between calls: a producer of its own, which ends at its first failure. */
final class KafkaSendSession implements SendSession {
  private final Producers producers;
  private final BiFunction<ProducerSession, Withheld, Handover> handovers;
  private final Withheld withheld = new Withheld();
  private @Nullable ProducerSession producer;

  KafkaSendSession(Producers producers, BiFunction<ProducerSession, Withheld, Handover> handovers) {
    this.producers = producers;
    this.handovers = handovers;
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    if (withheld.stopped() == null && producer == null) {
      borrow();
    }
    if (producer == null) {
      return KafkaSender.unknown(messages, "not handed over: " + withheld.stopped());
    }
    return handovers.apply(producer, withheld).run(messages);
  }

  private void borrow() {
    try {
      producer = producers.lend();
      if (producer == null) {
        withheld.stop("sender is closed");
      }
    } catch (KafkaException e) {
      withheld.stop("no producer could be made: " + SendFailure.describe(e));
    }
  }

  @Override
  public void close() {
    withheld.stop("the session is closed");
    if (producer != null) {
      producers.giveBack(producer);
      producer = null;
    }
  }
}
