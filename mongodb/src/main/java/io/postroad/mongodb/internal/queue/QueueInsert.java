package io.postroad.mongodb.internal.queue;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.adopt.AdoptedIndexes;
import io.postroad.mongodb.internal.append.Appender;
import io.postroad.mongodb.internal.append.Insertion;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.ServerTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/** Inserts messages into the queue: one round trip, however many there are. */
public final class QueueInsert implements Insertion {
  private static final Set<String> IDS = Set.of("_id_", AdoptedIndexes.ID);

  private final MongoCollection<BsonDocument> outbox;
  private final ServerTime time;
  private final QueueForm form;

  /**
   * @param outbox the form's collection, with the limits in time that an insert has
   */
  public QueueInsert(QueueForm form, MongoCollection<BsonDocument> outbox, ServerTime time) {
    this.outbox = outbox;
    this.form = form;
    this.time = time;
  }

  @Override
  public void insert(ClientSession session, List<Message> messages) {
    BsonDateTime now = time.floor();
    try {
      outbox.insertMany(
          session, messages.stream().map(message -> form.fresh(message, now)).toList());
    } catch (MongoException failed) {
      if (MongoErrors.isDuplicateKey(failed)) {
        Message refused = refused(messages, failed);
        throw notUnique(refused, failed).orElseGet(() -> Appender.idIsTaken(refused.id(), failed));
      }
      throw failed;
    }
  }

  /** For a message that a unique index of the collection's owners does not let in. */
  public static Optional<PostroadException> notUnique(Message message, MongoException failed) {
    return MongoErrors.duplicateIn(failed)
        .filter(index -> !IDS.contains(index))
        .map(
            index ->
                new PostroadException(
                    "could not store message %s (type %s): the collection's unique index '%s' has a"
                            .formatted(message.id(), message.type(), index)
                        + " document with the same values already, or they come twice in this call;"
                        + " MongoDB has ended your transaction, if there is one, because of it:"
                        + " roll it back. Give the payload values of its own for the fields of that"
                        + " index",
                    failed));
  }

  private static Message refused(List<Message> messages, MongoException failed) {
    int index =
        failed instanceof MongoBulkWriteException bulk
            ? bulk.getWriteErrors().get(0).getIndex()
            : 0;
    return messages.get(index);
  }
}
