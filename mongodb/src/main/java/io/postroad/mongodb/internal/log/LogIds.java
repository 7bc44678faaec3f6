package io.postroad.mongodb.internal.log;

import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.log.Gaps.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/**
 * The {@code _id} of a document of the log: lane and sequence number in one number that people can
 * read, {@code 3000000000000042} for sequence number 42 of lane 3. So the index on {@code _id} that
 * every collection has is the one that lanes are read by, and the one that no sequence number is
 * used twice by.
 */
public final class LogIds {
  private static final long PER_LANE = 1_000_000_000_000_000L;

  /** Gaps of up to so many sequence numbers are looked up one by one. */
  private static final int LISTED = 16;

  private LogIds() {}

  static BsonInt64 id(int lane, long sequence) {
    return new BsonInt64(lane * PER_LANE + sequence);
  }

  public static int lane(long id) {
    return (int) (id / PER_LANE);
  }

  static long sequence(long id) {
    return id % PER_LANE;
  }

  public static long sequence(BsonDocument document) {
    return sequence(document.getInt64(MessageDocument.ID).getValue());
  }

  /** Every document of a lane that a position does not cover. */
  public static BsonDocument unread(int lane, LogPosition position) {
    BsonDocument ahead = between("$gt", id(lane, position.head()), "$lt", id(lane + 1, 0));
    if (position.gaps().isEmpty()) {
      return ahead;
    }
    BsonArray any = gaps(lane, position.gaps());
    any.add(ahead);
    return new BsonDocument("$or", any);
  }

  /** Every document of a lane that has its sequence number in the gaps, as a list of conditions. */
  static BsonArray gaps(int lane, Gaps gaps) {
    List<BsonValue> listed = new ArrayList<>();
    BsonArray conditions = new BsonArray();
    for (Range range : gaps.ranges()) {
      if (range.count() <= LISTED) {
        LongStream.rangeClosed(range.first(), range.last())
            .mapToObj(sequence -> id(lane, sequence))
            .forEach(listed::add);
      } else {
        conditions.add(between(lane, range.first(), range.last()));
      }
    }
    if (!listed.isEmpty()) {
      conditions.add(
          new BsonDocument(MessageDocument.ID, new BsonDocument("$in", new BsonArray(listed))));
    }
    return conditions;
  }

  /** The documents of a lane from one sequence number to another, both included. */
  static BsonDocument between(int lane, long first, long last) {
    return between("$gte", id(lane, first), "$lte", id(lane, last));
  }

  private static BsonDocument between(String from, BsonInt64 first, String to, BsonInt64 last) {
    return new BsonDocument(MessageDocument.ID, new BsonDocument(from, first).append(to, last));
  }
}
