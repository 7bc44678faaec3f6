package io.postroad.mongodb.internal.client;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import io.postroad.mongodb.MongoOptions.WakeUpMode;
import io.postroad.spi.hint.HintChannel;
import io.postroad.spi.hint.NodeWakeUps;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * Sends hints between nodes: one small document that they write and whose changes they watch.
 * Watching the messages themselves would give every node an event for every message.
 */
public final class SignalDocument implements HintChannel {
  private static final String FROM = "from";
  private static final BsonDocument ID = new BsonDocument("_id", new BsonString("hint"));

  private final MongoCollection<BsonDocument> writing;
  private final MongoCollection<BsonDocument> watching;
  private final String name;
  private final String node = UUID.randomUUID().toString();

  SignalDocument(Database database) {
    this(database, Names.SIGNAL);
  }

  /** In a collection of its own, so that listeners see no other changes. */
  SignalDocument(Database database, String collection) {
    this.writing = database.collection(collection).withWriteConcern(WriteConcern.W1);
    this.watching = database.callersCollection(collection);
    this.name = watching.getNamespace().getFullName();
  }

  /** The hints of an outbox with the database's options. */
  public static NodeWakeUps wakeUps(Database database) {
    return wakeUps(database, Names.SIGNAL);
  }

  /** The hints that go through this collection. */
  public static NodeWakeUps wakeUps(Database database, String collection) {
    SignalDocument signal = new SignalDocument(database, collection);
    return database.options().wakeUpMode() == WakeUpMode.CHANGE_STREAM
        ? NodeWakeUps.acrossNodes(signal)
        : NodeWakeUps.local(signal);
  }

  @Override
  public String store() {
    return "mongodb";
  }

  @Override
  public String name() {
    return name;
  }

  /** {@inheritDoc} MongoDB does not tell which nodes listen, so it counts as heard. */
  @Override
  public boolean send() {
    BsonDocument hint =
        Bson.set(new BsonDocument(FROM, new BsonString(node)))
            .append("$inc", new BsonDocument("hints", new BsonInt64(1)));
    writing.updateOne(ID, hint, new UpdateOptions().upsert(true));
    return true;
  }

  @Override
  public AutoCloseable listen(Runnable hint) {
    SignalListener listener = new SignalListener(this, hint);
    listener.start();
    return listener;
  }

  /** Opens a cursor on later signals of other nodes, which waits so long for the next one. */
  MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> watch(long waitMillis) {
    return watching
        .watch(List.of(Aggregates.match(others()), Aggregates.project(nothing())))
        .maxAwaitTime(waitMillis, TimeUnit.MILLISECONDS)
        .cursor();
  }

  private BsonDocument others() {
    BsonDocument notOurs = new BsonDocument("$ne", new BsonString(node));
    return new BsonDocument("updateDescription.updatedFields." + FROM, notOurs)
        .append("fullDocument." + FROM, notOurs);
  }

  private static BsonDocument nothing() {
    return new BsonDocument("_id", new BsonInt32(1)).append("operationType", new BsonInt32(1));
  }
}
