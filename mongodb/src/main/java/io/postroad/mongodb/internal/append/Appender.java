package io.postroad.mongodb.internal.append;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import io.postroad.internal.store.Deduplication;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.TransactionCheck;
import io.postroad.store.AppendResult;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** APPEND: stores messages in the caller's session. Never commits, never aborts. */
public final class Appender {
  private final TransactionCheck check;
  private final DedupKeys keys;
  private final Insertion insertion;
  private final @Nullable LooseAppend loose;

  /**
   * @param loose appends where the session has no transaction; none where that is never allowed
   */
  public Appender(
      TransactionCheck check, DedupKeys keys, Insertion insertion, @Nullable LooseAppend loose) {
    this.check = check;
    this.keys = keys;
    this.insertion = insertion;
    this.loose = loose;
  }

  public List<AppendResult> append(
      ClientSession session, List<Message> messages, Duration deduplicateFor) {
    boolean inTransaction = check.requireTransaction(session, "append");
    if (messages.isEmpty()) {
      return List.of();
    }
    requireOwnIds(messages);
    if (!inTransaction && loose != null) {
      return loose.append(session, messages, deduplicateFor);
    }
    try {
      List<AppendResult> results = keys.take(session, messages, deduplicateFor).results(messages);
      List<Message> fresh = Deduplication.fresh(messages, results);
      if (!fresh.isEmpty()) {
        insertion.insert(session, fresh);
      }
      return results;
    } catch (MongoException failed) {
      throw MongoErrors.inTransaction("append " + messages.size() + " message(s)", failed);
    }
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
  public static PostroadException idIsTaken(UUID id, @Nullable MongoException duplicate) {
    return new PostroadException(
        "could not append message "
            + id
            + ": a message with this id is stored already, or comes twice in this call; "
            + (duplicate == null
                ? "nothing of this call was written and the transaction can go on"
                : "MongoDB has ended your transaction, if there is one, because of it: abort it")
            + ". Give each message an id of its own, or a deduplication key to append it once only",
        duplicate);
  }
}
