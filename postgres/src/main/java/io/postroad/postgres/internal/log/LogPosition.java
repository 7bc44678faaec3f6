package io.postroad.postgres.internal.log;

import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.spi.LanePosition;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * How far a lane was read. Places in the log are drawn before their transactions commit, so "up to
 * place 100" would lose what commits late below it. A position therefore also says what could be
 * seen: <b>every message up to {@code head} that {@code seen} sees was read.</b> Late ones below
 * {@code head} are those whose transaction it does not see.
 *
 * <p>When there are more late messages than one read returns, or only some of them are settled, a
 * {@link Window} is open: of the late ones that a newer moment sees, those up to a place were read
 * too. Nothing above {@code head} is read before it is closed.
 *
 * @param head how far the log was read
 * @param seen the transactions that the read could see
 * @param window late messages that were read in part
 * @param floor below which nothing can be late any more
 * @param origin the server that {@code seen} speaks of
 */
public record LogPosition(long head, Seen seen, Optional<Window> window, Floor floor, Origin origin)
    implements LanePosition {
  /** Late transactions up to this many above xmax are looked up one by one. */
  static final int LISTED = 256;

  /**
   * The transactions that a read could see.
   *
   * @param next every transaction that had begun to write by then is below it
   */
  record Seen(TxSnapshot snapshot, long next) {
    static final Seen NOTHING = new Seen(TxSnapshot.parse("1:1:"), 1);
  }

  /** Late messages up to {@code after} that {@code seen} sees were read. */
  record Window(Seen seen, long after) {}

  /**
   * A low-water mark.
   *
   * @param sure all that will ever be up to this place was read
   * @param next when all transactions below have ended, {@code head} is sure
   */
  record Floor(long sure, long next, long head) {

    /** The floor after a read that continued from {@code before}. */
    Floor reached(Seen now, LogPosition before) {
      return now.snapshot().xmin() >= next ? new Floor(head, before.seen.next, before.head) : this;
    }
  }

  /**
   * Which server, and which history of it: both change what a transaction's number means.
   *
   * @param copiedUpTo messages up to this place may have come from another server. The numbers of
   *     their transactions mean nothing here, and none of them is late: those up to {@code head}
   *     were read
   */
  record Origin(long systemId, int timeline, long copiedUpTo) {
    boolean isSameHistory(Origin other) {
      return systemId == other.systemId && timeline == other.timeline;
    }

    Origin copiedUpTo(long place) {
      return new Origin(systemId, timeline, place);
    }
  }

  /** The positions after a read: after each message, and for the next read. */
  record Reading(List<LogPosition> each, LogPosition end, boolean full) {}

  /** Where nothing was ever read, on no server. */
  static final LogPosition NOWHERE = start(new Origin(0, 0, 0));

  /** Returns a position that this store gave out. */
  static LogPosition of(LanePosition position) {
    if (position instanceof LogPosition known) {
      return known;
    }
    throw new IllegalArgumentException(
        "a position of another store cannot be used here: " + position);
  }

  /** Binds the parameters of {@link LogSql#POSITION}. */
  void bind(Parameters parameters) throws SQLException {
    parameters
        .add(head)
        .add(seen.snapshot.toString())
        .add(Long.toString(seen.next))
        .add(window.map(Window::after).orElse(null))
        .add(window.map(open -> open.seen.snapshot.toString()).orElse(null))
        .add(window.map(open -> Long.toString(open.seen.next)).orElse(null))
        .add(floor.sure)
        .add(origin.systemId)
        .add(origin.timeline)
        .add(origin.copiedUpTo);
  }

  /** Before the first message. */
  static LogPosition start(Origin origin) {
    return settledUpTo(0, Seen.NOTHING, origin);
  }

  /** A position below which nothing is late. */
  static LogPosition settledUpTo(long floor, Seen seen, Origin origin) {
    return new LogPosition(
        floor, seen, Optional.empty(), new Floor(floor, seen.next, floor), origin);
  }

  /** Late transactions to be looked up one by one. */
  LongStream lateListed() {
    return LongStream.concat(
        seen.snapshot.running(), LongStream.range(seen.snapshot.xmax(), lateFrom()));
  }

  /** The other late ones are from here on, up to {@code seen.next()}. */
  long lateFrom() {
    return Math.min(seen.next, seen.snapshot.xmax() + LISTED);
  }

  /** The first number that no transaction had when it was read. */
  long next() {
    return Math.max(seen.next, window.map(open -> open.seen().next()).orElse(0L));
  }

  /** Late messages up to this place were read, or there are none. */
  long lateAfter() {
    return Math.max(window.map(Window::after).orElse(0L), origin.copiedUpTo);
  }

  /**
   * The positions after a read.
   *
   * @param now the transactions that the read could see
   * @param places the messages it returned, ascending: first late ones, then others if no window is
   *     open
   * @param limit how many it would have returned
   * @param drawn a place that was drawn from the sequence before {@code now}
   */
  Reading after(Seen now, long[] places, int limit, long drawn) {
    boolean cut = places.length >= limit;
    int late = (int) LongStream.of(places).filter(place -> place <= head).count();
    boolean allLate = !cut || late < places.length;
    Seen target = window.map(Window::seen).orElse(now);
    LogPosition closed = movedTo(head, target);
    List<LogPosition> each =
        IntStream.range(0, places.length)
            .mapToObj(
                i -> {
                  if (i >= late) {
                    return movedTo(closed, places[i]);
                  }
                  return i == late - 1 && allLate ? closed : within(target, places[i]);
                })
            .toList();
    if (cut) {
      return new Reading(each, each.get(places.length - 1), true);
    }
    if (window.isPresent()) {
      return new Reading(each, closed, true);
    }
    // All that can be seen was read, so what is open up to the last place drawn is late from now
    // on:
    // the next read need not pass over it again.
    long last = places.length == 0 ? head : Math.max(head, places[places.length - 1]);
    return new Reading(each, movedTo(closed, Math.max(last, drawn)), false);
  }

  private LogPosition movedTo(long newHead, Seen now) {
    return new LogPosition(newHead, now, Optional.empty(), floor.reached(now, this), origin);
  }

  private static LogPosition movedTo(LogPosition closed, long newHead) {
    return new LogPosition(newHead, closed.seen, Optional.empty(), closed.floor, closed.origin);
  }

  private LogPosition within(Seen target, long place) {
    return new LogPosition(head, seen, Optional.of(new Window(target, place)), floor, origin);
  }

  @Override
  public String toString() {
    return "place "
        + head
        + window.map(open -> " (late ones up to " + open.after() + ")").orElse("");
  }
}
