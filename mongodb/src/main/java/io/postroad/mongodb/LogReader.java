package io.postroad.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.message.Message;
import io.postroad.store.Claim;
import io.postroad.store.LaneBatch;
import io.postroad.store.LaneEntry;
import io.postroad.store.LaneLease;
import io.postroad.store.LaneLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/** READ: the next messages of a lane, without changing anything. */
final class LogReader {
  private static final String VERB = "read";
  private static final BsonDocument BY_TICKET =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));

  private final Snapshots snapshots;
  private final Fence fence;
  private final HeldMessages held;
  private final GapCloser closer;
  private final MongoCollection<BsonDocument> log;
  private final MongoCollection<BsonDocument> counters;

  LogReader(
      Database database, Snapshots snapshots, Fence fence, HeldMessages held, GapCloser closer) {
    this.snapshots = snapshots;
    this.fence = fence;
    this.held = held;
    this.closer = closer;
    this.log = database.callersCollection(Names.LOG);
    this.counters = database.callersCollection(Names.COUNTER);
  }

  LaneBatch read(LaneLease lease, LogPosition after, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("read limit must be 1 or more, got " + limit);
    }
    List<BsonDocument> documents =
        snapshots.read("read lane " + lease.lane(), session -> read(session, lease, after, limit));
    LogPosition position = after;
    List<LaneEntry> entries = new ArrayList<>(documents.size());
    List<Unreadable> unreadable = new ArrayList<>();
    for (BsonDocument document : documents) {
      long ticket = TicketIds.ticket(document);
      position = position.after(ticket);
      if (!LogDocument.isVoid(document)) {
        try {
          entries.add(new LaneEntry(claim(document, ticket), position));
        } catch (IllegalArgumentException wrong) {
          unreadable.add(new Unreadable(ticket, document, wrong));
        }
      }
    }
    held.bury(lease, unreadable);
    closer.observe(lease.lane(), position.gaps());
    return new LaneBatch(entries, position, documents.size() == limit);
  }

  private List<BsonDocument> read(
      ClientSession session, LaneLease lease, LogPosition after, int limit) {
    fence.look(session, lease, VERB);
    List<BsonDocument> documents =
        log.find(session, TicketIds.unread(lease.lane(), after))
            .sort(BY_TICKET)
            .limit(limit)
            // One more than there can be, so that all come at once and the cursor is closed.
            .batchSize(limit + 1)
            .into(new ArrayList<>());
    if (documents.size() < limit) {
      requireRemembered(session, lease, after);
    }
    return documents;
  }

  /**
   * What was read had its place from the counter before. A counter that is behind it belongs to a
   * database that was restored from an older backup, which will give those places again.
   */
  private void requireRemembered(ClientSession session, LaneLease lease, LogPosition after) {
    @Nullable BsonDocument counter =
        counters
            .find(session, new BsonDocument(MessageDocument.ID, Tickets.counter(lease.lane())))
            .first();
    if (counter != null && counter.getNumber("seq").longValue() < after.head()) {
      throw new LaneLostException(lease, VERB);
    }
  }

  private static Claim claim(BsonDocument document, long ticket) {
    Message message = LogDocument.read(document);
    return new Claim(
        message,
        ticket,
        1,
        MessageDocument.instant(document, MessageDocument.CREATED_AT),
        Optional.empty());
  }
}
