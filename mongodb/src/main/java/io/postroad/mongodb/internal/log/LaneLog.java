package io.postroad.mongodb.internal.log;

import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import io.postroad.message.Message;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.append.Unreadable;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.Snapshots;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.LanePosition;
import io.postroad.spi.LogStore;
import io.postroad.spi.Settlement;
import io.postroad.spi.hint.Batches;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.codecs.configuration.CodecRegistries;
import org.jspecify.annotations.Nullable;

/** The log of each lane: reads it, advances its position, admits scheduled messages. */
public final class LaneLog implements LogStore {
  private static final String VERB = "read";
  private static final BsonDocument BY_SEQUENCE =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));

  private final Snapshots snapshots;
  private final Fence fence;
  private final Blocker holder;
  private final GapCloser closer;
  private final Schedule schedule;
  private final MongoCollection<BsonDocument> lanes;
  private final MongoCollection<BsonDocument> log;
  private final MongoCollection<LogEntry> entries;
  private final MongoCollection<BsonDocument> counters;

  public LaneLog(
      Database database,
      Snapshots snapshots,
      Fence fence,
      Blocker holder,
      GapCloser closer,
      Schedule schedule) {
    this.snapshots = snapshots;
    this.fence = fence;
    this.holder = holder;
    this.closer = closer;
    this.schedule = schedule;
    this.lanes = database.collection(Names.LANE).withWriteConcern(WriteConcern.W1);
    this.log = database.callersCollection(Names.LOG);
    this.entries =
        log.withDocumentClass(LogEntry.class)
            .withCodecRegistry(
                CodecRegistries.fromRegistries(
                    CodecRegistries.fromCodecs(new LogEntry.Decoder()), log.getCodecRegistry()));
    this.counters = database.callersCollection(Names.COUNTER);
  }

  @Override
  public LaneBatch read(LaneLease lease, LanePosition start, int limit) {
    LogPosition after = LogPosition.of(start);
    if (limit < 1) {
      throw new IllegalArgumentException("read limit must be 1 or more, got " + limit);
    }
    List<LogEntry> found =
        snapshots.read("read lane " + lease.lane(), session -> read(session, lease, after, limit));
    long[] sequences = found.stream().mapToLong(entry -> LogIds.sequence(entry.id())).toArray();
    LogPosition position = after.afterAll(sequences, sequences.length);
    List<LaneEntry> entries = new ArrayList<>(found.size());
    List<LogEntry> unreadable = new ArrayList<>();
    for (int i = 0; i < sequences.length; i++) {
      LogEntry entry = found.get(i);
      @Nullable Message message = entry.message();
      if (message != null) {
        Claim claim = new Claim(message, sequences[i], 1, entry.createdAt(), Optional.empty());
        entries.add(new LaneEntry(claim, new LogPosition.Within(after, sequences, i + 1)));
      } else if (!entry.isTombstone()) {
        unreadable.add(entry);
      }
    }
    bury(lease, unreadable);
    closer.observe(lease, position.gaps());
    return new LaneBatch(entries, position, isFull(found, limit));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Does not wait for a majority: messages whose advance an election takes back are delivered
   * once more.
   */
  @Override
  public void advance(LaneLease lease, LanePosition position, List<Settlement> settlements) {
    LogPosition upTo = LogPosition.of(position);
    if (!settlements.isEmpty()) {
      holder.hold(lease, upTo, settlements);
      return;
    }
    long written =
        Database.call(
                "advance lane " + lease.lane(),
                () -> lanes.updateOne(Fence.of(lease), new BsonDocument("$set", upTo.fields())))
            .getMatchedCount();
    if (written == 0) {
      throw new LaneLostException(lease, "advance to " + upTo);
    }
  }

  @Override
  public int admitDue(LaneLease lease, int limit) {
    return schedule.admitDue(lease, limit);
  }

  private List<LogEntry> read(
      ClientSession session, LaneLease lease, LogPosition after, int limit) {
    fence.look(session, lease, VERB);
    List<LogEntry> found = new ArrayList<>();
    try (MongoCursor<LogEntry> cursor =
        entries
            .find(session, LogIds.unread(lease.lane(), after))
            .sort(BY_SEQUENCE)
            .limit(limit)
            // One more than there can be, so that all come at once and the cursor is closed.
            .batchSize(limit + 1)
            .cursor()) {
      long bytes = 0;
      while (bytes < Batches.MAX_BYTES && cursor.hasNext()) {
        LogEntry entry = cursor.next();
        found.add(entry);
        bytes += bytes(entry);
      }
    }
    if (!isFull(found, limit)) {
      requireRemembered(session, lease, after);
    }
    return found;
  }

  /** Whether there may be more, because the number or the size of a batch was reached. */
  private static boolean isFull(List<LogEntry> found, int limit) {
    return found.size() == limit
        || found.stream().mapToLong(LaneLog::bytes).sum() >= Batches.MAX_BYTES;
  }

  private static long bytes(LogEntry entry) {
    @Nullable Message message = entry.message();
    return message == null ? 0 : message.payload().size();
  }

  /**
   * Checks that the counter is not behind the places that were read. Such a counter belongs to a
   * database that was restored from an older backup, which will give those places again.
   */
  private void requireRemembered(ClientSession session, LaneLease lease, LogPosition after) {
    @Nullable BsonDocument counter =
        counters
            .find(
                session,
                new BsonDocument(MessageDocument.ID, SequenceNumbers.counter(lease.lane())))
            .first();
    if (counter != null && counter.getNumber("seq").longValue() < after.head()) {
      throw new LaneLostException(lease, VERB);
    }
  }

  /** Reads each of them again to find out what is wrong with it. */
  private void bury(LaneLease lease, List<LogEntry> unreadable) {
    List<Unreadable> found = new ArrayList<>();
    for (LogEntry entry : unreadable) {
      BsonDocument id = new BsonDocument(MessageDocument.ID, new BsonInt64(entry.id()));
      @Nullable BsonDocument document = log.find(id).first();
      if (document != null) {
        found.add(Unreadable.of(LogIds.sequence(entry.id()), document));
      }
    }
    holder.bury(lease, found);
  }
}
