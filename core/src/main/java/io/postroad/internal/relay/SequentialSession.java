package io.postroad.internal.relay;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import io.postroad.store.OrderKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps order between calls for any sender: a message is handed over when every earlier one of its
 * destination and key was accepted, and never if one of them was not. Keys do not wait for each
 * other.
 */
public final class SequentialSession implements SendSession {
  private final MessageSender sender;

  /** Completes by key with whether all its messages were accepted; accepted keys are removed. */
  private final Map<OrderKey, CompletableFuture<Boolean>> accepted = new ConcurrentHashMap<>();

  private volatile boolean closed;

  public SequentialSession(MessageSender sender) {
    this.sender = sender;
  }

  /** The messages of one call that are handed over together. */
  private static final class Part {
    final List<Message> messages = new ArrayList<>();
    final List<CompletableFuture<SendOutcome>> outcomes = new ArrayList<>();

    void add(Message message, CompletableFuture<SendOutcome> outcome) {
      messages.add(message);
      outcomes.add(outcome);
    }

    CompletableFuture<Boolean> allAccepted() {
      return CompletableFuture.allOf(outcomes.toArray(CompletableFuture<?>[]::new))
          .thenApply(
              done ->
                  outcomes.stream()
                      .allMatch(outcome -> outcome.join() instanceof SendOutcome.Accepted));
    }
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    List<CompletionStage<SendOutcome>> outcomes = new ArrayList<>(messages.size());
    Map<OrderKey, Part> byKey = new LinkedHashMap<>();
    Part atOnce = new Part();
    Map<OrderKey, CompletableFuture<Boolean>> waitedFor = new LinkedHashMap<>();
    for (Message message : messages) {
      CompletableFuture<SendOutcome> outcome = new CompletableFuture<>();
      outcomes.add(outcome);
      OrderKey key = OrderKey.of(message);
      if (!byKey.containsKey(key)) {
        CompletableFuture<Boolean> before = accepted.get(key);
        if (before != null) {
          waitedFor.put(key, before);
        }
      }
      byKey.computeIfAbsent(key, each -> new Part()).add(message, outcome);
      if (!waitedFor.containsKey(key)) {
        atOnce.add(message, outcome);
      }
    }
    byKey.forEach(this::remember);
    waitedFor.forEach(
        (key, before) -> {
          Part part = Objects.requireNonNull(byKey.get(key));
          var unused = before.thenAccept(goOn -> handOver(part, goOn));
        });
    if (!atOnce.messages.isEmpty()) {
      handOver(atOnce, true);
    }
    return outcomes;
  }

  /** Makes later messages of this key wait for this part, which waits for the parts before it. */
  private void remember(OrderKey key, Part part) {
    CompletableFuture<Boolean> all = part.allAccepted();
    accepted.put(key, all);
    var unused =
        all.thenAccept(
            good -> {
              if (good) {
                accepted.remove(key, all);
              }
            });
  }

  private void handOver(Part part, boolean goOn) {
    if (!goOn || closed) {
      String why = closed ? "the session was closed" : "an earlier message of its session failed";
      part.outcomes.forEach(
          outcome -> outcome.complete(new SendOutcome.Unknown("not sent: " + why)));
      return;
    }
    SafeSend.send(
        sender::send,
        sender,
        part.messages,
        (outcome, index) -> part.outcomes.get(index).complete(outcome));
  }

  @Override
  public void close() {
    closed = true;
  }
}
