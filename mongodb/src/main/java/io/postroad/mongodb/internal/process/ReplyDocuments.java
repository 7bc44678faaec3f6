package io.postroad.mongodb.internal.process;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.WaitingReplies;
import io.postroad.spi.process.WaitingReply;
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

/** Keeps waiting replies, one document each, so that no two transactions collide. */
public final class ReplyDocuments implements WaitingReplies<ClientSession> {
  private static final String COMMAND_ID = "command_id";
  private static final String REPLY = "reply";
  private static final String AT = "at";
  private static final BsonDocument OLDEST_FIRST =
      new BsonDocument(AT, new BsonInt32(1)).append(MessageDocument.ID, new BsonInt32(1));

  private final MongoCollection<BsonDocument> callers;
  private final MongoCollection<BsonDocument> replies;
  private final ServerTime time;
  private final JoinedCalls calls;

  /** The newest time that this node has used; its estimate of the server's clock may go back. */
  private final AtomicLong latest = new AtomicLong();

  public ReplyDocuments(Database database) {
    this.callers = database.callersCollection(Names.PROCESS_ARRIVAL);
    this.replies = database.collection(Names.PROCESS_ARRIVAL);
    this.time = database.time();
    this.calls = JoinedCalls.of(database);
  }

  @Override
  public void add(ClientSession session, WaitingReply reply) {
    calls.run(
        session,
        "add",
        "add a reply for process " + reply.processId(),
        () -> {
          long at = latest.accumulateAndGet(time.floor().getValue(), Math::max);
          callers.insertOne(
              session,
              new BsonDocument(MessageDocument.ID, new BsonObjectId())
                  .append(ProcessDocument.PROCESS_ID, MessageDocument.id(reply.processId()))
                  .append(COMMAND_ID, MessageDocument.id(reply.commandId()))
                  .append(REPLY, new BsonString(reply.reply()))
                  .append(AT, new BsonDateTime(at)));
        });
  }

  @Override
  public List<WaitingReply> take(ClientSession session, UUID processId) {
    return calls.call(
        session,
        "take",
        "take the replies of process " + processId,
        () -> removed(session, processId));
  }

  private List<WaitingReply> removed(ClientSession session, UUID processId) {
    List<BsonDocument> waiting =
        callers
            .find(session, ProcessFilters.ofProcess(processId))
            .sort(OLDEST_FIRST)
            .into(new ArrayList<>());
    if (!waiting.isEmpty()) {
      callers.deleteMany(session, Bson.same(waiting));
    }
    return waiting.stream().map(ReplyDocuments::read).toList();
  }

  private static WaitingReply read(BsonDocument document) {
    return new WaitingReply(
        MessageDocument.uuid(document, ProcessDocument.PROCESS_ID),
        MessageDocument.uuid(document, COMMAND_ID),
        MessageDocument.text(document, REPLY));
  }

  @Override
  public List<UUID> processes(int limit, Collection<UUID> except) {
    ProcessStore.checkLimit(limit);
    return Database.call("look for processes with waiting replies", () -> oldest(limit, except));
  }

  private List<UUID> oldest(int limit, Collection<UUID> except) {
    Set<UUID> processes = new LinkedHashSet<>();
    try (MongoCursor<BsonDocument> waiting =
        replies
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
