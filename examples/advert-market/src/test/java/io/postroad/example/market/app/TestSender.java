package io.postroad.example.market.app;

import io.postroad.example.market.shared.outbox.OutboxPublisher;
import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The application's publisher, which refuses the entries of one deal while the test wants that. */
final class TestSender implements MessageSender {
  static final String REFUSED_DEAL = "refused-deal";

  private final OutboxPublisher publisher;
  private volatile boolean refusing = true;

  TestSender(OutboxPublisher publisher) {
    this.publisher = publisher;
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
    return publisher.timeout();
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    List<CompletionStage<SendOutcome>> outcomes = new ArrayList<>();
    for (Message message : messages) {
      outcomes.add(
          refusing && message.key().filter(REFUSED_DEAL::equals).isPresent()
              ? CompletableFuture.completedFuture(
                  SendOutcome.Rejected.forNow("refused by the test"))
              : publisher.publish(message));
    }
    return outcomes;
  }

  @Override
  public void close() {}
}
