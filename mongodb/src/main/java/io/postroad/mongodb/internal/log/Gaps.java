package io.postroad.mongodb.internal.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * SequenceNumbers below the head of a lane that were not seen yet: transactions that are open, or
 * were rolled back. Kept as ranges, because the sequence numbers of one append follow each other.
 * Immutable.
 */
final class Gaps {
  static final Gaps NONE = new Gaps(new long[0]);

  /** First and last sequence number of each range in turn, ascending; ranges do not touch. */
  private final long[] bounds;

  private Gaps(long[] bounds) {
    this.bounds = bounds;
  }

  /** SequenceNumbers that follow each other, both ends included. */
  record Range(long first, long last) {
    long count() {
      return last - first + 1;
    }

    @Override
    public String toString() {
      return first == last ? Long.toString(first) : first + "-" + last;
    }
  }

  /**
   * @param bounds first and last sequence number of each range in turn, as {@link #bounds()} gives
   *     them
   */
  static Gaps of(long... bounds) {
    if (bounds.length % 2 != 0) {
      throw new IllegalArgumentException(
          "gaps need a first and a last sequence each, got " + Arrays.toString(bounds));
    }
    for (int i = 0; i < bounds.length; i += 2) {
      boolean apart = i == 0 || bounds[i - 1] + 1 < bounds[i];
      if (bounds[i] < 1 || bounds[i] > bounds[i + 1] || !apart) {
        throw new IllegalArgumentException(
            "gaps must ascend and not touch, got " + Arrays.toString(bounds));
      }
    }
    return bounds.length == 0 ? NONE : new Gaps(bounds.clone());
  }

  long[] bounds() {
    return bounds.clone();
  }

  boolean isEmpty() {
    return bounds.length == 0;
  }

  /** The lowest sequence number of all. */
  long first() {
    return bounds[0];
  }

  long count() {
    return ranges().stream().mapToLong(Range::count).sum();
  }

  List<Range> ranges() {
    List<Range> ranges = new ArrayList<>(bounds.length / 2);
    for (int i = 0; i < bounds.length; i += 2) {
      ranges.add(new Range(bounds[i], bounds[i + 1]));
    }
    return ranges;
  }

  boolean contains(long sequence) {
    int at = Arrays.binarySearch(bounds, sequence);
    // A sequence number that is no bound itself lies inside when an odd number of bounds is below
    // it.
    return at >= 0 || (-at - 1) % 2 == 1;
  }

  /** With a range more, above all others. */
  Gaps plus(long first, long last) {
    int length = bounds.length;
    if (length > 0 && bounds[length - 1] + 1 == first) {
      long[] longer = bounds.clone();
      longer[length - 1] = last;
      return new Gaps(longer);
    }
    long[] more = Arrays.copyOf(bounds, length + 2);
    more[length] = first;
    more[length + 1] = last;
    return new Gaps(more);
  }

  /** Without a sequence number, which may be none of them. */
  Gaps without(long sequence) {
    if (!contains(sequence)) {
      return this;
    }
    int found = Arrays.binarySearch(bounds, sequence);
    int range = (found >= 0 ? found : -found - 2) / 2 * 2;
    long first = bounds[range];
    long last = bounds[range + 1];
    long[] left = new long[bounds.length + 2];
    System.arraycopy(bounds, 0, left, 0, range);
    int length = range;
    if (first < sequence) {
      left[length++] = first;
      left[length++] = sequence - 1;
    }
    if (sequence < last) {
      left[length++] = sequence + 1;
      left[length++] = last;
    }
    int rest = bounds.length - range - 2;
    System.arraycopy(bounds, range + 2, left, length, rest);
    return length + rest == 0 ? NONE : new Gaps(Arrays.copyOf(left, length + rest));
  }

  /** How many ranges there are. */
  int size() {
    return bounds.length / 2;
  }

  /**
   * Returns these gaps without some sequence numbers; sequence numbers that are not missing are
   * ignored.
   *
   * @param sequences ascending; only the first {@code count} are looked at
   */
  Gaps withoutAll(long[] sequences, int count) {
    if (isEmpty() || count == 0) {
      return this;
    }
    Builder left = new Builder(bounds.length);
    int next = 0;
    for (int i = 0; i < bounds.length; i += 2) {
      long first = bounds[i];
      long last = bounds[i + 1];
      while (next < count && sequences[next] < first) {
        next++;
      }
      while (next < count && sequences[next] <= last) {
        left.add(first, sequences[next] - 1);
        first = sequences[next] + 1;
        next++;
      }
      left.add(first, last);
    }
    return left.build();
  }

  /** With ranges more, above all others. */
  Gaps plusAll(Builder more) {
    if (more.length == 0) {
      return this;
    }
    Builder all = new Builder(bounds.length + more.length);
    for (int i = 0; i < bounds.length; i += 2) {
      all.add(bounds[i], bounds[i + 1]);
    }
    for (int i = 0; i < more.length; i += 2) {
      all.add(more.bounds[i], more.bounds[i + 1]);
    }
    return all.build();
  }

  /** Collects ranges in ascending order, without a copy for each. Used by one thread. */
  static final class Builder {
    private long[] bounds;
    private int length;

    Builder(int expected) {
      this.bounds = new long[Math.max(2, expected)];
    }

    /** Adds a range; one whose last sequence number is before its first is none. */
    void add(long first, long last) {
      if (first > last) {
        return;
      }
      if (length > 0 && bounds[length - 1] + 1 == first) {
        bounds[length - 1] = last;
        return;
      }
      if (length + 2 > bounds.length) {
        bounds = Arrays.copyOf(bounds, 2 * bounds.length + 2);
      }
      bounds[length++] = first;
      bounds[length++] = last;
    }

    Gaps build() {
      return length == 0 ? NONE : new Gaps(Arrays.copyOf(bounds, length));
    }
  }

  /** The sequence numbers that are in both. */
  Gaps and(Gaps others) {
    Builder both = new Builder(2);
    int mine = 0;
    int theirs = 0;
    while (mine < bounds.length && theirs < others.bounds.length) {
      long first = Math.max(bounds[mine], others.bounds[theirs]);
      long last = Math.min(bounds[mine + 1], others.bounds[theirs + 1]);
      if (first <= last) {
        both.add(first, last);
      }
      if (bounds[mine + 1] < others.bounds[theirs + 1]) {
        mine += 2;
      } else {
        theirs += 2;
      }
    }
    return both.build();
  }

  @Override
  public String toString() {
    return ranges().stream().map(Range::toString).collect(Collectors.joining(",", "[", "]"));
  }
}
