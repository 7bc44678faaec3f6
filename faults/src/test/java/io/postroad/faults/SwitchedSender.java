package io.postroad.faults;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Delivers to destinations that can be switched off. Messages have a {@link #NUMBER}, which rises
 * within each key; it keeps no more of them than that, however many there are.
 */
final class SwitchedSender implements MessageSender {
  static final String NUMBER = "number";

  /** Returns the messages that came to a destination. */
  private static final class Mailbox {
    final BitSet numbers = new BitSet();
    final Map<String, Integer> latestOfKey = new HashMap<>();
    int outOfOrder;

    void put(String key, int number) {
      if (numbers.get(number)) {
        return;
      }
      numbers.set(number);
      Integer before = latestOfKey.put(key, number);
      if (before != null && before > number) {
        outOfOrder++;
      }
    }
  }

  private final Map<String, Mailbox> mailboxes = new HashMap<>();
  private final Set<String> off = new HashSet<>();
  private final List<Long> refusedAt = new ArrayList<>();

  synchronized void switchOff(String destination) {
    off.add(destination);
  }

  synchronized void switchOn(String destination) {
    off.remove(destination);
  }

  /** When messages were refused, by a clock that never jumps. */
  synchronized List<Long> refusedAt() {
    return List.copyOf(refusedAt);
  }

  /** How many have come, each counted once. */
  synchronized int arrivedAt(String destination) {
    return mailbox(destination).numbers.cardinality();
  }

  /** How many came for the first time after a later one of their key. */
  synchronized int outOfOrderAt(String destination) {
    return mailbox(destination).outOfOrder;
  }

  private Mailbox mailbox(String destination) {
    return mailboxes.computeIfAbsent(destination, name -> new Mailbox());
  }

  @Override
  public synchronized List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    List<CompletionStage<SendOutcome>> outcomes = new ArrayList<>(messages.size());
    for (Message message : messages) {
      outcomes.add(CompletableFuture.completedFuture(outcome(message)));
    }
    return outcomes;
  }

  private SendOutcome outcome(Message message) {
    if (off.contains(message.destination())) {
      refusedAt.add(System.nanoTime());
      return SendOutcome.Rejected.forNow("switched off");
    }
    mailbox(message.destination())
        .put(
            message.key().orElseThrow(),
            Integer.parseInt(message.headers().getOrDefault(NUMBER, "")));
    return new SendOutcome.Accepted(Map.of());
  }

  @Override
  public String name() {
    return "switched";
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(5);
  }

  @Override
  public void close() {}
}
