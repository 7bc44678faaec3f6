package io.postroad.spring.boot.test;

import io.postroad.inbox.Inbox;
import io.postroad.inbox.Incoming;
import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The messages that the relay has sent, in their order; no broker has them. Messages to
 * destinations with handlers in the application are handled, as if a broker had delivered them: on
 * the thread that drains, each once. A message that fails moves to the retry line.
 *
 * <p>Safe to use from many threads.
 */
public final class PublishedMessages implements MessageSender {
  private final Map<UUID, Message> messages = new LinkedHashMap<>();
  private final Supplier<@Nullable Inbox<?>> inbox;

  /**
   * @param inbox the inbox of the application; null if it handles no messages
   */
  PublishedMessages(Supplier<@Nullable Inbox<?>> inbox) {
    this.inbox = inbox;
  }

  /** Returns all messages. */
  public synchronized List<Message> all() {
    return List.copyOf(messages.values());
  }

  /** Returns the messages to a destination. */
  public List<Message> to(String destination) {
    return matching(message -> message.destination().equals(destination));
  }

  /** Returns the messages of a type. */
  public List<Message> ofType(String type) {
    return matching(message -> message.type().equals(type));
  }

  private List<Message> matching(Predicate<Message> condition) {
    return all().stream().filter(condition).toList();
  }

  /**
   * Returns the only message to a destination of a type.
   *
   * @throws AssertionError if there is none, or there are several; its text lists all messages
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
   * Asserts that no message was sent.
   *
   * @throws AssertionError if there is a message; its text lists all messages
   */
  public void assertNone() {
    if (!all().isEmpty()) {
      throw new AssertionError("expected no message, published: " + listed());
    }
  }

  private List<String> listed() {
    return all().stream().map(each -> each.type() + " to " + each.destination()).toList();
  }

  /** Removes all messages, for the next test. */
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
  public List<CompletionStage<SendOutcome>> send(List<Message> sent) {
    List<CompletionStage<SendOutcome>> outcomes = new ArrayList<>();
    for (Message message : sent) {
      outcomes.add(CompletableFuture.completedFuture(publish(message)));
    }
    return outcomes;
  }

  private SendOutcome publish(Message message) {
    @Nullable Inbox<?> handling = inbox.get();
    if (handling != null
        && handling.handlers().destinations().contains(message.destination())
        && !handling.receive(Incoming.of(message), () -> false)) {
      return new SendOutcome.Unknown("its handlers could not be asked: the database fails");
    }
    write(message);
    return new SendOutcome.Accepted(Map.of());
  }

  private synchronized void write(Message message) {
    messages.put(message.id(), message);
  }

  @Override
  public void close() {}
}
