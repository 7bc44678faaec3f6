package io.postroad.mongodb.internal.append;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.internal.store.Deduplication;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.queue.QueueForm;
import io.postroad.mongodb.internal.queue.QueueInsert;
import io.postroad.spi.hint.Batches;
import io.postroad.store.AppendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * APPEND without a transaction. Writes the deduplication keys, then the messages, then a note at
 * each key that its message is stored. A key answers {@code Duplicate} only when its message is
 * stored, so a crash between any two of these writes loses nothing:
 *
 * <ul>
 *   <li>after the keys: the same message appended again takes its key over at once; another message
 *       with that key gets an error until {@link LooseKeys} frees the key.
 *   <li>between two messages of a list: the first ones are stored and are sent.
 *   <li>after the messages: each key is completed by the next call that wants it.
 * </ul>
 *
 * <p>When the server refuses a message, the messages of the call that are stored are removed again,
 * except those that a worker has claimed meanwhile, and then the keys of all others. Messages go
 * before keys, because a stored message without its key could be stored twice.
 */
public final class LooseAppend {
  private static final Logger LOG = LoggerFactory.getLogger(LooseAppend.class);

  private final LooseKeys keys;
  private final QueueInsert insertion;
  private final MongoCollection<BsonDocument> outbox;
  private final QueueForm form;

  public LooseAppend(Database database, QueueForm form, LooseKeys keys) {
    this.keys = keys;
    this.insertion = new QueueInsert(form, form.collection(database), database.time());
    this.outbox = form.collection(database);
    this.form = form;
  }

  List<AppendResult> append(ClientSession session, List<Message> messages, Duration window) {
    LooseKeys.Attempt attempt =
        Database.call(
            "append " + messages.size() + " message(s)",
            () -> keys.begin(Deduplication.wanted(messages), window));
    List<AppendResult> results = attempt.taken().results(messages);
    List<Message> fresh = Deduplication.fresh(messages, results);
    if (!fresh.isEmpty()) {
      insert(session, fresh, attempt);
    }
    return results;
  }

  private void insert(ClientSession session, List<Message> fresh, LooseKeys.Attempt attempt) {
    List<UUID> stored = new ArrayList<>();
    try {
      for (List<Message> part : Batches.split(fresh, message -> message.payload().size())) {
        attempt.requireInTime();
        try {
          insertion.insert(session, part);
        } catch (RuntimeException failed) {
          part.stream().limit(insertedBefore(failed)).map(Message::id).forEach(stored::add);
          throw failed;
        }
        part.stream().map(Message::id).forEach(stored::add);
      }
    } catch (RuntimeException failed) {
      throw isAnswer(failed)
          ? refused(fresh, stored, attempt, failed)
          : unknown(fresh.size(), failed);
    }
    finish(attempt);
  }

  /** Writes the notes. The messages are stored, so a failure here is not one of the append. */
  private static void finish(LooseKeys.Attempt attempt) {
    try {
      attempt.finish();
    } catch (MongoException failed) {
      LOG.debug("mongodb: notes at deduplication keys are written by their next caller", failed);
    }
  }

  private RuntimeException refused(
      List<Message> fresh, List<UUID> stored, LooseKeys.Attempt attempt, RuntimeException failed) {
    Set<UUID> staying = new LinkedHashSet<>(stored);
    try {
      if (!stored.isEmpty()) {
        // A claim raises the token, so a message that a worker has is not removed.
        outbox.deleteMany(
            form.among(stored).append(form.names().lease().token(), new BsonInt64(0)));
        staying.retainAll(left(stored));
      }
      attempt.release(staying);
    } catch (MongoException unreachable) {
      failed.addSuppressed(unreachable);
      return unknown(fresh.size(), failed);
    }
    return new PostroadException(
        "could not append %d message(s) without a transaction: %s; %s"
            .formatted(fresh.size(), MongoErrors.text(failed), outcome(staying)),
        failed);
  }

  private List<UUID> left(List<UUID> stored) {
    return outbox
        .find(form.among(stored))
        .projection(form.idOnly())
        .map(form::id)
        .into(new ArrayList<>());
  }

  private static String outcome(Set<UUID> staying) {
    return staying.isEmpty()
        ? "nothing of this call is stored"
        : "%d of them had been claimed by a worker before that, and stay: %s. Do not append these again"
            .formatted(staying.size(), staying);
  }

  private static RuntimeException unknown(int messages, RuntimeException failed) {
    return new PostroadException(
        "could not append %d message(s) without a transaction: %s; some of them may be stored."
                .formatted(messages, MongoErrors.text(failed))
            + " Append the same messages again: with deduplication keys the stored ones answer"
            + " Duplicate, without they are refused by their id",
        failed);
  }

  /** Whether the server, or the driver before it sent anything, has said no. */
  private static boolean isAnswer(RuntimeException failed) {
    @Nullable MongoException error = MongoErrors.in(failed);
    if (error instanceof MongoBulkWriteException bulk) {
      return bulk.getWriteConcernError() == null;
    }
    return error == null
        || error instanceof MongoWriteException
        || error instanceof MongoCommandException
        || error instanceof MongoSecurityException;
  }

  private static int insertedBefore(RuntimeException failed) {
    return MongoErrors.in(failed) instanceof MongoBulkWriteException bulk
        ? bulk.getWriteResult().getInsertedCount()
        : 0;
  }
}
