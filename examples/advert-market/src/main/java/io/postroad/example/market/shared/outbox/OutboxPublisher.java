package io.postroad.example.market.shared.outbox;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Publishes entries to their topics, with the idempotency key as a header, also entries that
 * another program has inserted. Sessions are passed on, because with an ordered table the relay
 * uses them, and the sender keeps the order.
 *
 * <p>Thread-safe. {@link #close()} closes the sender.
 */
public final class OutboxPublisher implements MessageSender {
  /** Name of the header. */
  public static final String IDEMPOTENCY_KEY = "idempotency-key";

  private final MessageSender sender;

  public OutboxPublisher(MessageSender sender) {
    this.sender = sender;
  }

  /** Publishes an entry without waiting. The outcome is known within {@link #timeout()}. */
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
  public SendSession openSession(String lane) {
    return new KeyedSession(sender.openSession(lane));
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
