package io.postroad.micrometer;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.store.OrderKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Answers by the type of a message: the rest is accepted. */
final class ScriptedSender implements MessageSender {
  static final String REFUSED = "Refused";
  static final String NOT_NOW = "NotNow";
  static final String UNKNOWN = "Unknown";

  @Override
  public String name() {
    return "scripted";
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(5);
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    Set<OrderKey> failed = new HashSet<>();
    return messages.stream()
        .<CompletionStage<SendOutcome>>map(
            message -> CompletableFuture.completedFuture(answer(message, failed)))
        .toList();
  }

  /** Nothing of a key arrives after what was not accepted. */
  private static SendOutcome answer(Message message, Set<OrderKey> failed) {
    OrderKey key = OrderKey.of(message);
    if (failed.contains(key)) {
      return new SendOutcome.Unknown("one before it failed");
    }
    SendOutcome outcome = answer(message);
    if (!(outcome instanceof SendOutcome.Accepted)) {
      failed.add(key);
    }
    return outcome;
  }

  private static SendOutcome answer(Message message) {
    return switch (message.type()) {
      case REFUSED -> SendOutcome.Rejected.forGood("refused");
      case NOT_NOW -> SendOutcome.Rejected.forNow("not now");
      case UNKNOWN -> new SendOutcome.Unknown("nobody knows");
      default -> new SendOutcome.Accepted(Map.of());
    };
  }

  @Override
  public void close() {}
}
