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
 * The messages that the relay has sent, in their order; no broker has them. Those to destinations
 * that handlers of the application listen to are handled, as if they had come back from a broker:
 * on the thread that drains, each once, and those that fail move to the retry line.
 *
 * <p>Safe to use from many threads.
 */
public final class PublishedMessages implements MessageSender {
  private final Map<UUID, Message> messages = new LinkedHashMap<>();
  private final Supplier<@Nullable Inbox<?>> inbox;

  /**
   * @param inbox the application's; null where it handles no messages
   */
  PublishedMessages(Supplier<@Nullable Inbox<?>> inbox) {
    this.inbox = inbox;
  }

  /** All of them. */
  public synchronized List<Message> all() {
    return List.copyOf(messages.values());
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
