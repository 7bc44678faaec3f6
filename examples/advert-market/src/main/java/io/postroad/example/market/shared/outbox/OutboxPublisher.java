package io.postroad.example.market.shared.outbox;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Publishes entries: each goes to its topic with its idempotency key as a header, also one that
 * another program has inserted. Sessions are handed on, too: over an ordered table the relay sends
 * through them, and the sender below keeps the order in its own way.
 *
 * <p>Safe to use from many threads. Whoever made the sender below closes it here.
 */
public final class OutboxPublisher implements MessageSender {
  /** Name of the header. */
  public static final String IDEMPOTENCY_KEY = "idempotency-key";

  private final MessageSender sender;

  public OutboxPublisher(MessageSender sender) {
    this.sender = sender;
  }

  /** Does not wait; the outcome is there within {@link #timeout()}. */
  public CompletionStage<SendOutcome> publish(Message entry) {
    return send(List.of(entry)).get(0);
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> entries) {
    return sender.send(withKeys(entries));
  }

  @Override
  public SendSession openSession() {
    return new KeyedSession(sender.openSession());
  }

  @Override
  public SendSession openSession(String line) {
    return new KeyedSession(sender.openSession(line));
  }

  private static List<Message> withKeys(List<Message> entries) {
    return entries.stream().map(OutboxPublisher::withKey).toList();
  }

  private static Message withKey(Message entry) {
    return entry
        .deduplicationKey()
        .map(key -> entry.toBuilder().id(entry.id()).header(IDEMPOTENCY_KEY, key).build())
        .orElse(entry);
  }

  @Override
  public String name() {
    return sender.name();
  }

  @Override
  public Duration timeout() {
    return sender.timeout();
  }

  @Override
  public void close() {
    sender.close();
  }

  private record KeyedSession(SendSession session) implements SendSession {
    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> entries) {
      return session.send(withKeys(entries));
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
