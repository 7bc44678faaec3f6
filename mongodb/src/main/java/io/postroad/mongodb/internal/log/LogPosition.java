package io.postroad.mongodb.internal.log;

import io.postroad.spi.LanePosition;
import java.util.Arrays;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/**
 * How far a lane was read: <b>every sequence number up to {@code head} was seen, except those in
 * {@code gaps}.</b> SequenceNumbers are whole numbers without holes, so a reader knows what it has
 * not seen: it belongs to a transaction that is still open, or to one that was rolled back.
 */
public record LogPosition(long head, Gaps gaps) implements LanePosition {
  static final LogPosition START = new LogPosition(0, Gaps.NONE);

  /** Returns a position that this store gave out. */
  static LogPosition of(LanePosition position) {
    if (position instanceof LogPosition known) {
      return known;
    }
    if (position instanceof Within read) {
      return read.position();
    }
    throw new IllegalArgumentException(
        "a position of another store cannot be used here: " + position);
  }

  /** Returns the fields that an advance writes into the document of the lane. */
  BsonDocument fields() {
    return new BsonDocument(Lanes.HEAD, headValue())
        .append(Lanes.GAPS, gapsValue())
        .append(Lanes.PROGRESS, BsonBoolean.TRUE);
  }

  /** Everything up to a sequence number was seen. */
  static LogPosition upTo(long head) {
    return new LogPosition(head, Gaps.NONE);
  }

  /**
   * After a sequence number was seen. SequenceNumbers come in ascending order in each read: gaps
   * first, then what is above the head, and what it skips there becomes a gap.
   */
  LogPosition after(long sequence) {
    if (sequence <= head) {
      Gaps left = gaps.without(sequence);
      return left == gaps ? this : new LogPosition(head, left);
    }
    Gaps more = sequence == head + 1 ? gaps : gaps.plus(head + 1, sequence - 1);
    return new LogPosition(sequence, more);
  }

  /**
   * After the first of some sequence numbers were seen, in one go.
   *
   * @param sequences ascending, as they come in one read
   */
  LogPosition afterAll(long[] sequences, int count) {
    Gaps.Builder more = new Gaps.Builder(2);
    long last = head;
    for (int i = 0; i < count; i++) {
      if (sequences[i] > last) {
        more.add(last + 1, sequences[i] - 1);
        last = sequences[i];
      }
    }
    return new LogPosition(last, gaps.withoutAll(sequences, count).plusAll(more));
  }

  /**
   * The position after some messages of a read. Shares the gaps before the read and the sequence
   * numbers of the read with all others of it, so that many messages in flight cost no more memory
   * than the reads that they came from.
   */
  public static final class Within implements LanePosition {
    private final LogPosition before;
    private final long[] sequences;
    private final int count;

    /**
     * @param sequences of all documents of the read, ascending; not changed any more
     * @param count how many of them were seen
     */
    Within(LogPosition before, long[] sequences, int count) {
      this.before = before;
      this.sequences = sequences;
      this.count = count;
    }

    LogPosition before() {
      return before;
    }

    public LogPosition position() {
      return before.afterAll(sequences, count);
    }

    @Override
    public String toString() {
      return position().toString();
    }
  }

  public boolean covers(long sequence) {
    return sequence <= head && !gaps.contains(sequence);
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
  public static LogPosition of(BsonDocument lane) {
    long[] bounds =
        lane.getArray("gaps").stream()
            .map(BsonValue::asNumber)
            .mapToLong(number -> number.longValue())
            .toArray();
    return new LogPosition(lane.getNumber("head").longValue(), Gaps.of(bounds));
  }

  @Override
  public String toString() {
    return gaps.isEmpty() ? "sequence " + head : "sequence " + head + " without " + gaps;
  }
}
