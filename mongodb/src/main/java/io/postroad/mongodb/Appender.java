package io.postroad.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.store.AppendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** APPEND: stores messages in the caller's session. Never commits, never aborts. */
final class Appender {
  private final TransactionCheck check;
  private final DedupKeys keys;
  private final Insertion insertion;

  Appender(TransactionCheck check, DedupKeys keys, Insertion insertion) {
    this.check = check;
    this.keys = keys;
    this.insertion = insertion;
  }

  List<AppendResult> append(
      ClientSession session, List<Message> messages, Duration deduplicateFor) {
    check.requireTransaction(session, "append");
    if (messages.isEmpty()) {
      return List.of();
    }
    requireOwnIds(messages);
    try {
      return store(session, messages, deduplicateFor);
    } catch (MongoException failed) {
      throw MongoErrors.inTransaction("append " + messages.size() + " message(s)", failed);
    }
  }

  private List<AppendResult> store(
      ClientSession session, List<Message> messages, Duration deduplicateFor) {
    DedupKeys.Taken taken = keys.take(session, messages, deduplicateFor);
    Set<String> wonUnused = new HashSet<>(taken.won());
    List<AppendResult> results = new ArrayList<>(messages.size());
    List<Message> fresh = new ArrayList<>(messages.size());
    for (Message message : messages) {
      @Nullable String key = message.deduplicationKey().orElse(null);
      if (key == null || wonUnused.remove(key)) {
        fresh.add(message);
        results.add(new AppendResult.Appended(message.id()));
      } else {
        UUID holder = Objects.requireNonNull(taken.holders().get(key));
        results.add(new AppendResult.Duplicate(holder));
      }
    }
    if (!fresh.isEmpty()) {
      insertion.insert(session, fresh);
    }
    return results;
  }

  private static void requireOwnIds(List<Message> messages) {
    Set<UUID> ids = new HashSet<>();
    for (Message message : messages) {
      if (!ids.add(message.id()) && message.deduplicationKey().isEmpty()) {
        throw idIsTaken(message.id(), null);
      }
    }
  }

  /** For insertions that meet an id that is stored already. */
  static PostroadException idIsTaken(UUID id, @Nullable MongoException duplicate) {
    return new PostroadException(
        "could not append message "
            + id
            + ": a message with this id is stored already, or comes twice in this call; "
            + (duplicate == null
                ? "nothing of this call was written and the transaction can go on"
                : "MongoDB has ended the transaction because of it, abort it")
            + ". Give each message an id of its own, or a deduplication key to append it once only",
        duplicate);
  }
}
