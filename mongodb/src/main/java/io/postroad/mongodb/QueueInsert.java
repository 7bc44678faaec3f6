package io.postroad.mongodb;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.message.Message;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;

/** Inserts messages into the queue: one round trip, however many there are. */
final class QueueInsert implements Insertion {
  private final MongoCollection<BsonDocument> outbox;
  private final ServerTime time;
  private final QueueForm form;

  QueueInsert(Database database, QueueForm form) {
    this.outbox = form.callersCollection(database);
    this.form = form;
    this.time = database.time();
  }

  @Override
  public void insert(ClientSession session, List<Message> messages) {
    BsonDateTime now = time.floor();
    try {
      outbox.insertMany(
          session, messages.stream().map(message -> form.fresh(message, now)).toList());
    } catch (MongoException failed) {
      if (MongoErrors.isDuplicateKey(failed)) {
        throw Appender.idIsTaken(refused(messages, failed).id(), failed);
      }
      throw failed;
    }
  }

  private static Message refused(List<Message> messages, MongoException failed) {
    int index =
        failed instanceof MongoBulkWriteException bulk
            ? bulk.getWriteErrors().get(0).getIndex()
            : 0;
    return messages.get(index);
  }
}
