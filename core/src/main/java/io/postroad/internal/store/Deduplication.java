package io.postroad.internal.store;

import io.postroad.message.Message;
import io.postroad.store.AppendResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The deduplication keys of one append, after the store has taken those that were free.
 *
 * @param won keys that this append has taken, each for its first message with that key
 * @param holders the message that holds each key, of this append or of an earlier one
 */
public record Deduplication(Set<String> won, Map<String, UUID> holders) {
  public static final Deduplication NONE = new Deduplication(Set.of(), Map.of());

  /**
   * Returns the keys of these messages, each with the first message that has it. Stores take them
   * in this order, so that two appends never wait for each other in a circle.
   */
  public static SortedMap<String, UUID> wanted(List<Message> messages) {
    SortedMap<String, UUID> wanted = new TreeMap<>();
    for (Message message : messages) {
      message.deduplicationKey().ifPresent(key -> wanted.putIfAbsent(key, message.id()));
    }
    return wanted;
  }

  /** Returns for each message whether it is appended, in order. */
  public List<AppendResult> results(List<Message> messages) {
    Set<String> unused = new HashSet<>(won);
    List<AppendResult> results = new ArrayList<>(messages.size());
    for (Message message : messages) {
      @Nullable String key = message.deduplicationKey().orElse(null);
      results.add(
          key == null || unused.remove(key)
              ? new AppendResult.Appended(message.id())
              : new AppendResult.Duplicate(Objects.requireNonNull(holders.get(key))));
    }
    return results;
  }

  /** Returns the messages that are no duplicates. */
  public static List<Message> fresh(List<Message> messages, List<AppendResult> results) {
    List<Message> fresh = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      if (results.get(i) instanceof AppendResult.Appended) {
        fresh.add(messages.get(i));
      }
    }
    return fresh;
  }
}
