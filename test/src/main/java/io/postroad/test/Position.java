package io.postroad.test;

import io.postroad.spi.LanePosition;
import org.jspecify.annotations.Nullable;

/**
 * How far a lane was read: every message with a place up to {@code head} that was committed by
 * {@code snapshot}. A transaction that was open then may still commit messages with such places,
 * stragglers; they are what is not covered yet.
 *
 * @param snapshot number of the latest commit that was seen
 * @param floor up to this place nothing was open any more, so nothing can come that was not read
 * @param window set in the middle of stragglers
 */
record Position(long head, long snapshot, long floor, @Nullable Window window)
    implements LanePosition {

  /** Nothing was read yet. */
  static final Position START = new Position(0, 0, 0, null);

  /** Everything up to a place that was committed by {@code snapshot}. */
  static Position at(long place, long snapshot, long firstOpen) {
    return new Position(place, snapshot, Math.min(place, firstOpen - 1), null);
  }

  /** Some of the stragglers of a window were read. */
  Position within(Window of, long after) {
    return new Position(head, snapshot, floor, new Window(of.snapshot, after, of.floor));
  }

  /** All the stragglers of a window were read. */
  Position after(Window of) {
    return new Position(head, of.snapshot, of.floor, null);
  }

  /** Where to go back to when commits can no longer be told apart by their numbers. */
  Position backToFloor(long latest) {
    return new Position(floor, latest, floor, null);
  }

  boolean covers(LogRow row) {
    if (row.place() > head) {
      return false;
    }
    return row.commit() <= snapshot
        || (window != null && row.commit() <= window.snapshot && row.place() <= window.after);
  }

  /**
   * Stragglers committed by {@code snapshot} that are read in several goes.
   *
   * @param after those up to this place were read
   * @param floor the floor when all are
   */
  record Window(long snapshot, long after, long floor) {}
}
