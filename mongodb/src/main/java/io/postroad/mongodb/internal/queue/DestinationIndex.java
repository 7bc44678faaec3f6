package io.postroad.mongodb.internal.queue;

import com.mongodb.client.FindIterable;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.log.BlockedLines;
import io.postroad.store.BlockedDestination;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * The index of what is set aside, by destination and since when. Its queries name it: every other
 * index would lead them through all that waits.
 *
 * @param name of the index
 * @param destination the field that has the destination
 * @param asideAt the field that has since when
 */
public record DestinationIndex(String name, String destination, String asideAt) {
  public static final String ASIDE_AT = "aside_at";

  /** When what is set aside is due: never, by itself. */
  public static final BsonDateTime DUE_AT =
      new BsonDateTime(BlockedDestination.DUE_AT.toEpochMilli());

  static final DestinationIndex OF_MESSAGES =
      new DestinationIndex("outbox_aside_idx", MessageDocument.DESTINATION, ASIDE_AT);
  public static final DestinationIndex OF_KEYS =
      new DestinationIndex("outbox_held_key_aside_idx", BlockedLines.DESTINATION, ASIDE_AT);

  private static final BsonInt32 ONE = new BsonInt32(1);

  /** A query in a session, or without one. */
  public interface Finder extends Function<BsonDocument, FindIterable<BsonDocument>> {}

  /** All that waits for a destination. */
  public BsonDocument waiting(BsonDocument scope, String name) {
    return aside(scope).append(destination, new BsonString(name));
  }

  private BsonDocument aside(BsonDocument scope) {
    return scope.clone().append(asideAt, new BsonDocument("$exists", BsonBoolean.TRUE));
  }

  /** Finds documents that wait for a destination, the longest waiting first. */
  public FindIterable<BsonDocument> longestFirst(Finder finder, BsonDocument scope, String name) {
    return finder
        .apply(waiting(scope, name))
        .sort(new BsonDocument(asideAt, ONE))
        .hintString(this.name);
  }

  /** Since when each destination is waited for, in the order of their names; one lookup each. */
  public SortedMap<String, Instant> destinations(Finder finder, BsonDocument scope) {
    SortedMap<String, Instant> found = new TreeMap<>();
    String last = "";
    while (true) {
      @Nullable BsonDocument first = firstBehind(finder, scope, last);
      if (first == null) {
        return found;
      }
      last = MessageDocument.text(first, MessageDocument.DESTINATION);
      found.put(last, MessageDocument.instant(first, asideAt));
    }
  }

  private @Nullable BsonDocument firstBehind(Finder finder, BsonDocument scope, String last) {
    return finder
        .apply(aside(scope).append(destination, new BsonDocument("$gt", new BsonString(last))))
        .sort(new BsonDocument(destination, ONE).append(asideAt, ONE))
        .projection(
            new BsonDocument(asideAt, ONE)
                .append(MessageDocument.DESTINATION, Bson.field(destination)))
        .hintString(name)
        .first();
  }
}
