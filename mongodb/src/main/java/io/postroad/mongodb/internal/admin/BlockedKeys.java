package io.postroad.mongodb.internal.admin;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.mongodb.internal.client.Snapshots;
import io.postroad.mongodb.internal.log.BlockedDocument;
import io.postroad.mongodb.internal.log.BlockedLines;
import io.postroad.mongodb.internal.log.LogDocument;
import io.postroad.spi.BlockedKeyStore;
import io.postroad.spi.DeadLetterStore;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedKey;
import io.postroad.store.BlockedSummary;
import io.postroad.store.Decision;
import io.postroad.store.OrderKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The keys that wait behind a dead letter until an operator decides. */
public final class BlockedKeys implements BlockedKeyStore {
  private static final String DESTINATION = BlockedLines.DESTINATION;
  private static final String NAME = "_id.name";
  private static final String COUNT = "n";
  private static final String BY_SINCE = "outbox_held_key_since_idx";

  private final Database database;
  private final Snapshots snapshots;
  private final BlockedLines lines;
  private final BlockedDecisions decisions;
  private final MongoCollection<BsonDocument> keys;
  private final MongoCollection<BsonDocument> held;

  public BlockedKeys(
      Database database, Snapshots snapshots, BlockedLines lines, BlockedDecisions decisions) {
    this.database = database;
    this.snapshots = snapshots;
    this.lines = lines;
    this.decisions = decisions;
    this.keys = database.callersCollection(Names.HELD_KEY);
    this.held = database.callersCollection(Names.HELD);
  }

  @Override
  public List<BlockedKey> list(Optional<OrderKey> after, int limit) {
    DeadLetterStore.checkLimit(limit);
    BsonDocument which = new BsonDocument(BlockedLines.PARKED, BsonBoolean.TRUE);
    after.ifPresent(last -> which.append("$or", behind(last)));
    return snapshots.read("list blocked keys", session -> list(session, which, limit));
  }

  private static BsonArray behind(OrderKey last) {
    BsonString destination = new BsonString(last.destination());
    return new BsonArray(
        List.of(
            new BsonDocument(DESTINATION, destination)
                .append(NAME, new BsonDocument("$gt", new BsonString(last.name()))),
            new BsonDocument(DESTINATION, new BsonDocument("$gt", destination))));
  }

  private List<BlockedKey> list(ClientSession session, BsonDocument which, int limit) {
    List<BsonDocument> rows =
        keys.aggregate(
                session,
                List.of(
                    new BsonDocument("$match", which),
                    new BsonDocument(
                        "$sort", new BsonDocument(DESTINATION, one()).append(NAME, one())),
                    new BsonDocument("$limit", new BsonInt32(limit)),
                    lines.lookUp(
                        Backlog.COUNT_LIMIT, new BsonDocument("$count", new BsonString(COUNT)))))
            .into(new ArrayList<>());
    Map<BsonValue, BsonDocument> letters = new HashMap<>();
    List<BsonValue> ids = rows.stream().map(BlockedKeys::parkedBy).toList();
    held.find(session, new BsonDocument(MessageDocument.ID, Bson.in(ids)))
        .projection(
            new BsonDocument(LogDocument.MESSAGE_ID, one())
                .append(BlockedDocument.LAST_ERROR, one()))
        .forEach(letter -> letters.put(letter.get(MessageDocument.ID), letter));
    List<BlockedKey> parked = new ArrayList<>(rows.size());
    for (BsonDocument row : rows) {
      @Nullable BsonDocument letter = letters.get(parkedBy(row));
      if (letter != null) {
        parked.add(parked(row, letter));
      }
    }
    return parked;
  }

  private static BlockedKey parked(BsonDocument row, BsonDocument letter) {
    return new BlockedKey(
        BlockedDocument.orderKey(row.getDocument(MessageDocument.ID)),
        row.getInt32(BlockedLines.LANE).getValue(),
        BlockedDocument.messageId(letter),
        MessageDocument.instant(row, BlockedLines.PARKED_SINCE),
        MessageDocument.optional(letter, BlockedDocument.LAST_ERROR).orElse(""),
        row.getArray(BlockedLines.MESSAGE).stream()
            .mapToLong(counted -> counted.asDocument().getNumber(COUNT).longValue())
            .sum());
  }

  private static BsonValue parkedBy(BsonDocument row) {
    return row.get(BlockedLines.PARKED_BY, BsonNull.VALUE);
  }

  @Override
  public boolean release(OrderKey key, Decision decision) {
    return decisions.release(key.lane(database.options().lanes()), key, decision);
  }

  @Override
  public Set<UUID> skip(Collection<UUID> ids, Decision decision) {
    return decisions.skip(DeadLetterQuery.distinct(ids), decision);
  }

  @Override
  public BlockedSummary summary() {
    Instant now = database.time().ask();
    return snapshots.read(
        "count blocked keys",
        session -> {
          BsonDocument since = new BsonDocument(BlockedLines.PARKED_SINCE, one());
          @Nullable BsonDocument oldest = keys.find(session, since()).sort(since).first();
          return oldest == null
              ? BlockedSummary.NONE
              : new BlockedSummary(
                  count(session),
                  lines.countMessages(session, since(), BY_SINCE),
                  ServerTime.waited(
                      MessageDocument.instant(oldest, BlockedLines.PARKED_SINCE), now));
        });
  }

  private static BsonDocument since() {
    return new BsonDocument(
        BlockedLines.PARKED_SINCE, new BsonDocument("$exists", BsonBoolean.TRUE));
  }

  /** Stops looking at the limit. */
  private long count(ClientSession session) {
    @Nullable BsonDocument counted =
        keys.aggregate(
                session,
                List.of(
                    new BsonDocument("$match", since()),
                    new BsonDocument("$limit", new BsonInt32(Backlog.COUNT_LIMIT)),
                    new BsonDocument("$count", new BsonString(COUNT))))
            .first();
    return counted == null ? 0 : counted.getNumber(COUNT).longValue();
  }

  private static BsonInt32 one() {
    return new BsonInt32(1);
  }
}
