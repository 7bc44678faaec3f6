package io.postroad.mongodb.internal.process;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.WaitingReply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;

/** Replies that wait for whoever moves their process: a document each, so that none collide. */
public final class WaitingReplies {
  private static final String COMMAND_ID = "command_id";
  private static final String REPLY = "reply";
  private static final String AT = "at";
  private static final BsonDocument OLDEST_FIRST =
      new BsonDocument(AT, new BsonInt32(1)).append(MessageDocument.ID, new BsonInt32(1));

  private final MongoCollection<BsonDocument> callers;
  private final MongoCollection<BsonDocument> arrivals;
  private final ServerTime time;

  /** The times that this node gives do not go back, as its estimate of the server's clock may. */
  private final AtomicLong latest = new AtomicLong();

  public WaitingReplies(Database database) {
    this.callers = database.callersCollection(Names.PROCESS_ARRIVAL);
    this.arrivals = database.collection(Names.PROCESS_ARRIVAL);
    this.time = database.time();
  }

  public void park(ClientSession session, WaitingReply arrival) {
    long at = latest.accumulateAndGet(time.floor().getValue(), Math::max);
    callers.insertOne(
        session,
        new BsonDocument(MessageDocument.ID, new BsonObjectId())
            .append(ProcessDocument.PROCESS_ID, MessageDocument.id(arrival.processId()))
            .append(COMMAND_ID, MessageDocument.id(arrival.commandId()))
            .append(REPLY, new BsonString(arrival.reply()))
            .append(AT, new BsonDateTime(at)));
  }

  public List<WaitingReply> take(ClientSession session, UUID processId) {
    List<BsonDocument> waiting =
        callers
            .find(session, ProcessFilters.ofProcess(processId))
            .sort(OLDEST_FIRST)
            .into(new ArrayList<>());
    if (!waiting.isEmpty()) {
      callers.deleteMany(session, Bson.same(waiting));
    }
    return waiting.stream().map(WaitingReplies::read).toList();
  }

  private static WaitingReply read(BsonDocument document) {
    return new WaitingReply(
        MessageDocument.uuid(document, ProcessDocument.PROCESS_ID),
        MessageDocument.uuid(document, COMMAND_ID),
        MessageDocument.text(document, REPLY));
  }

  public List<UUID> processes(int limit, Collection<UUID> except) {
    Set<UUID> processes = new LinkedHashSet<>();
    try (MongoCursor<BsonDocument> waiting =
        arrivals
            .find(others(except))
            .sort(OLDEST_FIRST)
            .projection(new BsonDocument(ProcessDocument.PROCESS_ID, new BsonInt32(1)))
            .cursor()) {
      while (waiting.hasNext() && processes.size() < limit) {
        processes.add(MessageDocument.uuid(waiting.next(), ProcessDocument.PROCESS_ID));
      }
    }
    return List.copyOf(processes);
  }

  private static BsonDocument others(Collection<UUID> except) {
    return except.isEmpty()
        ? new BsonDocument()
        : new BsonDocument(
            ProcessDocument.PROCESS_ID,
            new BsonDocument(
                "$nin", new BsonArray(except.stream().map(MessageDocument::id).toList())));
  }
}
