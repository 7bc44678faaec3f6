package io.postroad.example.payment;

import io.postroad.kafka.KafkaSender;
import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Sends to Kafka. Refuses the payments of one user while the test wants that, and always the dead
 * letter copies of another user.
 */
final class TestSender implements MessageSender {
  static final String REFUSED_USER = "refused-user";
  static final String NEVER_COPIED_USER = "never-copied-user";

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
          refusal(message)
              .<CompletionStage<SendOutcome>>map(CompletableFuture::completedFuture)
              .orElseGet(() -> kafka.send(List.of(message)).get(0)));
    }
    return outcomes;
  }

  private Optional<SendOutcome> refusal(Message message) {
    if (refusing && isTo("payment.approved", REFUSED_USER, message)) {
      return Optional.of(SendOutcome.Rejected.forNow("refused by the test"));
    }
    if (isTo("outbox.dlq", NEVER_COPIED_USER, message)) {
      return Optional.of(SendOutcome.Rejected.forGood("too large for the test"));
    }
    return Optional.empty();
  }

  private static boolean isTo(String topic, String user, Message message) {
    return message.destination().equals(topic) && message.key().filter(user::equals).isPresent();
  }

  @Override
  public void close() {
    kafka.close();
  }
}
