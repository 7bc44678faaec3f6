package io.postroad.faults;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Accepts everything at once, for tests whose subject is the database. */
final class AcceptingSender implements MessageSender {
  private static final CompletionStage<SendOutcome> ACCEPTED =
      CompletableFuture.completedFuture(new SendOutcome.Accepted(Map.of()));

  private final Consumer<Message> receiver;

  AcceptingSender(Consumer<Message> receiver) {
    this.receiver = receiver;
  }

  @Override
  public SendSession openSession() {
    return new SendSession() {
      @Override
      public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
        return AcceptingSender.this.send(messages);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    messages.forEach(receiver);
    return messages.stream().map(message -> ACCEPTED).toList();
  }

  @Override
  public String name() {
    return "accepting";
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(5);
  }

  @Override
  public void close() {}
}
