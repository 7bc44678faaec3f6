package io.postroad.mongodb;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Takes deduplication keys without a transaction: key first, message then, and last the note at the
 * key that the message is {@code stored}. A key without that note is somebody who is just
 * appending, for a minute; then it is somebody who has crashed, and counts only if his message is
 * there.
 */
final class LooseKeys {
  private static final Duration APPENDS_WITHIN = Duration.ofMinutes(1);
  private static final String STORED = "stored";
  private static final String TAKEN_AT = "taken_at";
  private static final String HOLDS = "holds";
  private static final String UNFINISHED = "unfinished";

  private final MongoCollection<BsonDocument> keys;
  private final Predicate<UUID> isStored;
  private final ServerTime time;

  /**
   * @param isStored whether a message is in the outbox, wherever that keeps its messages
   */
  LooseKeys(Database database, Predicate<UUID> isStored) {
    this.keys = database.collection(Names.DEDUP);
    this.isStored = isStored;
    this.time = database.time();
  }

  DedupKeys.Taken take(Map<String, UUID> wanted, Duration window) {
    Map<String, UUID> holders = new HashMap<>(wanted);
    Set<String> won = new HashSet<>();
    wanted.forEach(
        (key, message) -> {
          @Nullable BsonDocument before = take(key, message, window);
          if (before != null && holds(before)) {
            holders.put(key, MessageDocument.uuid(before, DedupKeys.MESSAGE_ID));
          } else {
            won.add(key);
          }
        });
    return new DedupKeys.Taken(won, holders);
  }

  /** The messages of these keys are stored. */
  void finish(Collection<String> won) {
    if (!won.isEmpty()) {
      keys.updateMany(
          new BsonDocument(MessageDocument.ID, Bson.in(won.stream().map(BsonString::new).toList())),
          Bson.set(new BsonDocument(STORED, BsonBoolean.TRUE)));
    }
  }

  /** The key as it was before; taken if it was free. */
  private @Nullable BsonDocument take(String key, UUID message, Duration window) {
    BsonDocument id = new BsonDocument(MessageDocument.ID, new BsonString(key));
    BsonDocument taken =
        new BsonDocument(MessageDocument.ID, Bson.literal(key))
            .append(DedupKeys.MESSAGE_ID, MessageDocument.id(message))
            .append(DedupKeys.EXPIRES_AT, time.plus(window))
            .append(TAKEN_AT, time.now());
    @Nullable BsonDocument before = update(id, Bson.of("$cond", valid(), root(), taken));
    if (before == null || !flag(before, UNFINISHED) || isStored(before)) {
      return before;
    }
    // Only this very holder is replaced: another may have come in between.
    BsonDocument same = id.clone().append(DedupKeys.MESSAGE_ID, before.get(DedupKeys.MESSAGE_ID));
    @Nullable BsonDocument replaced = update(same, taken);
    return replaced == null ? before : null;
  }

  private @Nullable BsonDocument update(BsonDocument which, BsonDocument replacement) {
    boolean insert = !which.containsKey(DedupKeys.MESSAGE_ID);
    return keys.findOneAndUpdate(
        which,
        List.of(new BsonDocument("$replaceWith", replacement)),
        new FindOneAndUpdateOptions()
            .upsert(insert)
            .returnDocument(ReturnDocument.BEFORE)
            .projection(
                new BsonDocument(DedupKeys.MESSAGE_ID, new BsonInt32(1))
                    .append(HOLDS, valid())
                    .append(UNFINISHED, unfinished())));
  }

  private boolean isStored(BsonDocument before) {
    return isStored.test(MessageDocument.uuid(before, DedupKeys.MESSAGE_ID));
  }

  private static boolean holds(BsonDocument before) {
    return flag(before, HOLDS);
  }

  private static boolean flag(BsonDocument document, String name) {
    return document.getBoolean(name, BsonBoolean.FALSE).getValue();
  }

  private BsonDocument valid() {
    return Bson.of("$gt", Bson.field(DedupKeys.EXPIRES_AT), time.now());
  }

  private BsonDocument unfinished() {
    BsonValue longAgo = time.plus(APPENDS_WITHIN.negated());
    return Bson.of(
        "$and",
        valid(),
        Bson.of("$ne", Bson.field(STORED), BsonBoolean.TRUE),
        Bson.of("$gt", Bson.field(TAKEN_AT), new BsonDateTime(0)),
        Bson.of("$lte", Bson.field(TAKEN_AT), longAgo));
  }

  private static BsonString root() {
    return new BsonString("$$ROOT");
  }
}
