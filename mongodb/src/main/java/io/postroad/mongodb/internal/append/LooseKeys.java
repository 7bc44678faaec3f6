package io.postroad.mongodb.internal.append;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import io.postroad.internal.store.Deduplication;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.hint.Threads;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.function.BiPredicate;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Takes deduplication keys without a transaction, for {@link LooseAppend}.
 *
 * <p>A key is <em>open</em> from the moment it is taken until the note {@code stored} says that its
 * message is stored. A call that meets an open key looks for the message itself. Where it is
 * stored, the key counts. Where it is not, the append of it is under way or has ended in a crash:
 * the same message takes the key over at once, another one waits for a few seconds, gets an error
 * then, and takes the key over when it has been open for longer than an append may take.
 */
public final class LooseKeys {
  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  /** From the first key to the last insert; what is begun later is given up. */
  private static final Duration BEGINS_WITHIN = Duration.ofSeconds(30);

  private static final String STORED = "stored";
  private static final String TAKEN_AT = "taken_at";
  private static final String HOLDS = "holds";
  private static final String OPEN = "open";
  private static final String ABANDONED = "abandoned";

  private final MongoCollection<BsonDocument> keys;
  private final BiPredicate<UUID, String> isStored;
  private final ServerTime time;
  private final Duration appendsWithin;

  /**
   * @param isStored whether a message with this id and this deduplication key is in the outbox,
   *     wherever that keeps its messages
   */
  public LooseKeys(Database database, BiPredicate<UUID, String> isStored) {
    this.keys = database.collection(Names.DEDUP);
    this.isStored = isStored;
    this.time = database.time();
    this.appendsWithin = BEGINS_WITHIN.plus(database.options().operationTimeout());
  }

  /** Takes the keys of one append, in order. A failure leaves none of them taken. */
  Attempt begin(SortedMap<String, UUID> wanted, Duration window) {
    Attempt attempt = new Attempt(wanted);
    try {
      wanted.forEach((key, message) -> attempt.add(key, take(key, message, window)));
      return attempt;
    } catch (RuntimeException failed) {
      try {
        attempt.release(Set.of());
      } catch (MongoException unreachable) {
        failed.addSuppressed(unreachable);
      }
      throw failed;
    }
  }

  /** The keys of one append, until its messages are stored or are known not to be. */
  final class Attempt {
    private final long began = System.nanoTime();
    private final Map<String, UUID> wanted;
    private final Map<String, UUID> holders = new HashMap<>();
    private final Set<String> won = new HashSet<>();

    private Attempt(Map<String, UUID> wanted) {
      this.wanted = wanted;
    }

    private void add(String key, Optional<UUID> before) {
      before.ifPresentOrElse(holder -> holders.put(key, holder), () -> won.add(key));
    }

    Deduplication taken() {
      return new Deduplication(won, holders);
    }

    /** Later, other callers take these keys for those of a node that has crashed. */
    void requireInTime() {
      if (System.nanoTime() - began > BEGINS_WITHIN.toNanos()) {
        throw new PostroadException(
            "this call stood still for more than %d s and its deduplication keys may be lost;"
                    .formatted(BEGINS_WITHIN.toSeconds())
                + " append again");
      }
    }

    /** Notes that the messages of these keys are stored. */
    void finish() {
      if (!won.isEmpty()) {
        keys.updateMany(
            new BsonDocument(
                MessageDocument.ID, Bson.in(won.stream().map(BsonString::new).toList())),
            Bson.set(new BsonDocument(STORED, BsonBoolean.TRUE)));
      }
    }

    /**
     * Frees the keys of messages that are not stored, neither by this call nor by an earlier one
     * whose insert arrived late.
     *
     * @param staying the messages that are; their keys count
     */
    void release(Set<UUID> staying) {
      for (String key : won) {
        @Nullable UUID message = wanted.get(key);
        if (message != null && !staying.contains(message) && !isStored.test(message, key)) {
          keys.deleteOne(
              held(key, MessageDocument.id(message))
                  .append(STORED, new BsonDocument("$ne", BsonBoolean.TRUE)));
        }
      }
    }
  }

  /** Takes a key, or answers the message that holds it and is stored. */
  private Optional<UUID> take(String key, UUID message, Duration window) {
    long began = System.nanoTime();
    while (true) {
      @Nullable BsonDocument before =
          update(held(key), Bson.of("$cond", valid(), root(), taken(key, message, window)), true);
      if (before == null || !flag(before, HOLDS)) {
        return Optional.empty();
      }
      UUID holder = MessageDocument.uuid(before, DedupKeys.MESSAGE_ID);
      if (!flag(before, OPEN) || isStored.test(holder, key)) {
        return Optional.of(holder);
      }
      if (holder.equals(message) || flag(before, ABANDONED)) {
        if (takeOver(key, before, taken(key, message, window))) {
          return Optional.empty();
        }
      } else if (System.nanoTime() - began > WAIT.toNanos()) {
        throw new PostroadException(
            "could not append message %s: its deduplication key belongs to message %s, which is not"
                    .formatted(message, holder)
                + " stored: the append of that one is under way, or its node has ended. Nothing of"
                + " this call is stored. Append again; %d s after that append the key is free"
                    .formatted(appendsWithin.toSeconds()));
      }
      Threads.pause(LOOK_EVERY.toMillis(), () -> false);
    }
  }

  /** Only this very holder is replaced: another one may have come in between. */
  private boolean takeOver(String key, BsonDocument before, BsonDocument taken) {
    BsonDocument same =
        held(key, Objects.requireNonNull(before.get(DedupKeys.MESSAGE_ID)))
            .append(TAKEN_AT, before.get(TAKEN_AT));
    return update(same, taken, false) != null;
  }

  private static BsonDocument held(String key) {
    return new BsonDocument(MessageDocument.ID, new BsonString(key));
  }

  private static BsonDocument held(String key, BsonValue message) {
    return held(key).append(DedupKeys.MESSAGE_ID, message);
  }

  private BsonDocument taken(String key, UUID message, Duration window) {
    return new BsonDocument(MessageDocument.ID, Bson.literal(key))
        .append(DedupKeys.MESSAGE_ID, MessageDocument.id(message))
        .append(DedupKeys.EXPIRES_AT, time.plus(window))
        .append(TAKEN_AT, time.now());
  }

  /** The key as it was before. */
  private @Nullable BsonDocument update(
      BsonDocument which, BsonDocument replacement, boolean insert) {
    return keys.findOneAndUpdate(
        which,
        List.of(new BsonDocument("$replaceWith", replacement)),
        new FindOneAndUpdateOptions()
            .upsert(insert)
            .returnDocument(ReturnDocument.BEFORE)
            .projection(
                new BsonDocument(DedupKeys.MESSAGE_ID, new BsonInt32(1))
                    .append(TAKEN_AT, new BsonInt32(1))
                    .append(HOLDS, valid())
                    .append(OPEN, open())
                    .append(ABANDONED, abandoned())));
  }

  private static boolean flag(BsonDocument document, String name) {
    return document.getBoolean(name, BsonBoolean.FALSE).getValue();
  }

  private BsonDocument valid() {
    return Bson.of("$gt", Bson.field(DedupKeys.EXPIRES_AT), time.now());
  }

  /** Keys that a transaction took have no time, and are never open. */
  private static BsonDocument open() {
    return Bson.of(
        "$and",
        Bson.of("$ne", Bson.field(STORED), BsonBoolean.TRUE),
        Bson.of("$gt", Bson.field(TAKEN_AT), new BsonDateTime(0)));
  }

  private BsonDocument abandoned() {
    return Bson.of("$lte", Bson.field(TAKEN_AT), time.plus(appendsWithin.negated()));
  }

  private static BsonString root() {
    return new BsonString("$$ROOT");
  }
}
