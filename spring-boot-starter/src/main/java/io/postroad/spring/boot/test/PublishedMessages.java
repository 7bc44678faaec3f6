package io.postroad.spring.boot.test;

import io.postroad.message.Message;
import io.postroad.outbox.MessageSender;
import io.postroad.outbox.SendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * The messages that the relay has sent, in their order; no broker has them.
 *
 * <p>Safe to use from many threads.
 */
public final class PublishedMessages implements MessageSender {
  private final List<Message> messages = new ArrayList<>();

  PublishedMessages() {}

  /** All of them. */
  public synchronized List<Message> all() {
    return List.copyOf(messages);
  }

  /** Those to this destination. */
  public List<Message> to(String destination) {
    return matching(message -> message.destination().equals(destination));
  }

  /** Those of this type. */
  public List<Message> ofType(String type) {
    return matching(message -> message.type().equals(type));
  }

  private List<Message> matching(Predicate<Message> condition) {
    return all().stream().filter(condition).toList();
  }

  /**
   * The only one to this destination of this type.
   *
   * @throws AssertionError when there is none, or there are several; it says what there is
   */
  public Message only(String destination, String type) {
    List<Message> found =
        matching(
            message -> message.destination().equals(destination) && message.type().equals(type));
    if (found.size() != 1) {
      throw new AssertionError(
          "expected one message of type '%s' to '%s', found %d; published: %s"
              .formatted(type, destination, found.size(), listed()));
    }
    return found.get(0);
  }

  /**
   * Nothing was sent.
   *
   * @throws AssertionError when something was; it says what
   */
  public void assertNone() {
    if (!all().isEmpty()) {
      throw new AssertionError("expected no message, published: " + listed());
    }
  }

  private List<String> listed() {
    return all().stream().map(each -> each.type() + " to " + each.destination()).toList();
  }

  /** Forgets all, for the next test. */
  public synchronized void clear() {
    messages.clear();
  }

  @Override
  public String name() {
    return "published-messages";
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(1);
  }

  @Override
  public synchronized List<CompletionStage<SendOutcome>> send(List<Message> sent) {
    messages.addAll(sent);
    return sent.stream()
        .<CompletionStage<SendOutcome>>map(
            message -> CompletableFuture.completedFuture(new SendOutcome.Accepted(Map.of())))
        .toList();
  }

  @Override
  public void close() {}
}
