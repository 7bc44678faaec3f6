package io.postroad.example.payment;

import io.postroad.kafka.KafkaSender;
import io.postroad.message.Message;
import io.postroad.outbox.MessageSender;
import io.postroad.outbox.SendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Sends to Kafka, but for payments of one user as long as the test wants. */
final class TestSender implements MessageSender {
  static final String REFUSED_USER = "refused-user";

  private final KafkaSender kafka;
  private volatile boolean refusing = true;

  TestSender(KafkaSender kafka) {
    this.kafka = kafka;
  }

  void refusing(boolean now) {
    refusing = now;
  }

  @Override
  public String name() {
    return "test";
  }

  @Override
  public Duration timeout() {
    return kafka.timeout();
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    List<CompletionStage<SendOutcome>> outcomes = new ArrayList<>();
    for (Message message : messages) {
      outcomes.add(
          refusing
                  && message.key().filter(REFUSED_USER::equals).isPresent()
                  && message.destination().equals("payment.approved")
              ? CompletableFuture.completedFuture(
                  SendOutcome.Rejected.forNow("refused by the test"))
              : kafka.send(List.of(message)).get(0));
    }
    return outcomes;
  }

  @Override
  public void close() {
    kafka.close();
  }
}
