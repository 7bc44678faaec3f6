package io.postroad.mongodb;

import io.postroad.store.LanePosition;
import java.util.Arrays;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/**
 * How far a lane was read: <b>every ticket up to {@code head} was seen, except those in {@code
 * gaps}.</b> Tickets are whole numbers without holes, so a reader knows what it has not seen: it
 * belongs to a transaction that is still open, or to one that was rolled back.
 */
record LogPosition(long head, Gaps gaps) implements LanePosition {
  static final LogPosition START = new LogPosition(0, Gaps.NONE);

  /** Everything up to a ticket was seen. */
  static LogPosition upTo(long head) {
    return new LogPosition(head, Gaps.NONE);
  }

  /**
   * After a ticket was seen. Tickets come in ascending order in each read: gaps first, then what is
   * above the head, and what it skips there becomes a gap.
   */
  LogPosition after(long ticket) {
    if (ticket <= head) {
      Gaps left = gaps.without(ticket);
      return left == gaps ? this : new LogPosition(head, left);
    }
    Gaps more = ticket == head + 1 ? gaps : gaps.plus(head + 1, ticket - 1);
    return new LogPosition(ticket, more);
  }

  boolean covers(long ticket) {
    return ticket <= head && !gaps.contains(ticket);
  }

  /** Up to here nothing can come any more. */
  long complete() {
    return gaps.isEmpty() ? head : gaps.first() - 1;
  }

  BsonInt64 headValue() {
    return new BsonInt64(head);
  }

  BsonArray gapsValue() {
    return new BsonArray(Arrays.stream(gaps.bounds()).mapToObj(BsonInt64::new).toList());
  }

  /** The position in a lane's document. */
  static LogPosition of(BsonDocument lane) {
    long[] bounds =
        lane.getArray("gaps").stream()
            .map(BsonValue::asNumber)
            .mapToLong(number -> number.longValue())
            .toArray();
    return new LogPosition(lane.getNumber("head").longValue(), Gaps.of(bounds));
  }

  @Override
  public String toString() {
    return gaps.isEmpty() ? "ticket " + head : "ticket " + head + " without " + gaps;
  }
}
