package io.postroad.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Words of a table for the status of a message. Immutable.
 *
 * @param pending the message waits to be claimed
 * @param processing the message is claimed; empty where only the lease shows a claim
 * @param waiting the message failed and waits for its retry; empty where that is {@code pending}
 *     with a due time
 * @param delivered the message was delivered
 * @param dead the message is a dead letter
 */
public record Statuses(
    String pending,
    Optional<String> processing,
    Optional<String> waiting,
    String delivered,
    String dead) {
  public Statuses {
    List<String> words = words(pending, processing, waiting, delivered, dead);
    if (words.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException("a status word must not be blank, got " + words);
    }
    if (new TreeSet<>(words).size() < words.size()) {
      throw new IllegalArgumentException(
          "two statuses have the same word: %s; a table must tell them apart".formatted(words));
    }
  }

  /** Creates three words: the lease shows a claim, the due time a retry. */
  public static Statuses of(String pending, String delivered, String dead) {
    return new Statuses(pending, Optional.empty(), Optional.empty(), delivered, dead);
  }

  public Statuses withProcessing(String word) {
    return new Statuses(pending, Optional.of(word), waiting, delivered, dead);
  }

  public Statuses withWaiting(String word) {
    return new Statuses(pending, processing, Optional.of(word), delivered, dead);
  }

  /** Returns the statuses of messages that are neither delivered nor dead. */
  public List<String> undelivered() {
    List<String> words = new ArrayList<>(List.of(pending));
    waiting.ifPresent(words::add);
    processing.ifPresent(words::add);
    return words;
  }

  /** Returns all words. */
  public List<String> all() {
    return words(pending, processing, waiting, delivered, dead);
  }

  private static List<String> words(
      String pending,
      Optional<String> processing,
      Optional<String> waiting,
      String delivered,
      String dead) {
    List<String> words = new ArrayList<>(List.of(pending));
    waiting.ifPresent(words::add);
    processing.ifPresent(words::add);
    words.add(delivered);
    words.add(dead);
    return words;
  }
}
