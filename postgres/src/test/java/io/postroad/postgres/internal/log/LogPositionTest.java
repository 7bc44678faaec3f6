package io.postroad.postgres.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.postgres.internal.log.LogPosition.Origin;
import io.postroad.postgres.internal.log.LogPosition.Reading;
import io.postroad.postgres.internal.log.LogPosition.Seen;
import io.postroad.postgres.internal.log.LogPosition.Window;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The arithmetic of positions. */
class LogPositionTest {
  private static final Origin HERE = new Origin(1, 1, 0);
  private static final Seen OLD = seen("10:20:12,15", 23);
  private static final Seen NEW = seen("30:40:33", 41);

  private static Seen seen(String snapshot, long next) {
    return new Seen(TxSnapshot.parse(snapshot), next);
  }

  private static LogPosition at(long head) {
    return LogPosition.settledUpTo(head, OLD, HERE);
  }

  @Test
  void nothingIsLateAtTheStart() {
    LogPosition start = LogPosition.start(HERE);

    assertThat(start.head()).isZero();
    assertThat(start.lateListed()).isEmpty();
    assertThat(start.lateFrom()).isEqualTo(start.seen().next());
  }

  /** What was open, and what may have been open above the newest that had ended. */
  @Test
  void lateAreTheListedTransactionsAndAllFromXmaxToTheNextOne() {
    LogPosition position = at(100);

    assertThat(position.lateListed()).containsExactly(12L, 15L, 20L, 21L, 22L);
    assertThat(position.lateFrom()).isEqualTo(23);
  }

  @Test
  void manyAboveXmaxAreARange() {
    LogPosition position = LogPosition.settledUpTo(100, seen("20:20:", 100_000), HERE);

    assertThat(position.lateListed().count()).isEqualTo(LogPosition.LISTED);
    assertThat(position.lateFrom()).isEqualTo(20 + LogPosition.LISTED);
  }

  @Test
  void aReadOfNothingMovesToWhatItSawAndToThePlaceThatWasDrawn() {
    Reading reading = at(100).after(NEW, new long[0], 10, 130);

    assertThat(reading.each()).isEmpty();
    assertThat(reading.full()).isFalse();
    assertThat(reading.end().head()).isEqualTo(130);
    assertThat(reading.end().seen()).isEqualTo(NEW);
    assertThat(reading.end().window()).isEmpty();
  }

  @Test
  void aPlaceThatWasDrawnBeforeDoesNotGoBack() {
    assertThat(at(100).after(NEW, new long[] {120}, 10, 90).end().head()).isEqualTo(120);
    assertThat(at(100).after(NEW, new long[0], 10, 90).end().head()).isEqualTo(100);
  }

  @Test
  void eachMessageAheadHasItsPlaceAsThePosition() {
    Reading reading = at(100).after(NEW, new long[] {101, 105}, 10, 110);

    assertThat(reading.each()).extracting(LogPosition::head).containsExactly(101L, 105L);
    assertThat(reading.each()).extracting(LogPosition::seen).containsOnly(NEW);
    assertThat(reading.end().head()).isEqualTo(110);
  }

  /** More may be there at places that were drawn: the head must not pass them. */
  @Test
  void aFullReadEndsAtItsLastMessage() {
    Reading reading = at(100).after(NEW, new long[] {101, 105}, 2, 110);

    assertThat(reading.full()).isTrue();
    assertThat(reading.end()).isEqualTo(reading.each().get(1));
    assertThat(reading.end().head()).isEqualTo(105);
  }

  @Test
  void lateMessagesOpenAWindowUntilTheLastOfThem() {
    Reading reading = at(100).after(NEW, new long[] {50, 60, 101}, 10, 101);

    LogPosition first = reading.each().get(0);
    assertThat(first.head()).isEqualTo(100);
    assertThat(first.seen()).isEqualTo(OLD);
    assertThat(first.window()).contains(new Window(NEW, 50));
    assertThat(first.lateAfter()).isEqualTo(50);
    LogPosition second = reading.each().get(1);
    assertThat(second.window()).isEmpty();
    assertThat(second.head()).isEqualTo(100);
    assertThat(second.seen()).isEqualTo(NEW);
    assertThat(reading.each().get(2).head()).isEqualTo(101);
  }

  @Test
  void aReadFullOfLateMessagesLeavesTheWindowOpen() {
    Reading reading = at(100).after(NEW, new long[] {50, 60}, 2, 130);

    assertThat(reading.full()).isTrue();
    assertThat(reading.end().window()).contains(new Window(NEW, 60));
    assertThat(reading.end().head()).isEqualTo(100);
    assertThat(reading.end().seen()).isEqualTo(OLD);
  }

  @Test
  void aFullReadWhoseLastMessageIsAheadHasAllLateOnes() {
    Reading reading = at(100).after(NEW, new long[] {50, 101}, 2, 130);

    assertThat(reading.each().get(0).window()).isEmpty();
    assertThat(reading.end().window()).isEmpty();
    assertThat(reading.end().head()).isEqualTo(101);
  }

  /** What was late when the window opened was looked for then; what came since comes later. */
  @Test
  void anOpenWindowClosesAtWhatItsOwnReadSaw() {
    Seen newest = seen("90:90:", 91);
    LogPosition open = at(100).after(NEW, new long[] {50, 60}, 2, 130).end();

    Reading half = open.after(newest, new long[] {70, 80}, 2, 200);
    assertThat(half.end().window()).contains(new Window(NEW, 80));
    Reading rest = half.end().after(newest, new long[] {90}, 2, 200);

    assertThat(rest.end().window()).isEmpty();
    assertThat(rest.end().seen()).isEqualTo(NEW);
    assertThat(rest.end().head()).as("nothing ahead was looked for").isEqualTo(100);
    assertThat(rest.full()).as("something ahead may be there").isTrue();
    assertThat(rest.each()).singleElement().isEqualTo(rest.end());
  }

  @Test
  void anOpenWindowWithNothingLeftCloses() {
    LogPosition open = at(100).after(NEW, new long[] {50, 60}, 2, 130).end();

    Reading rest = open.after(seen("90:90:", 91), new long[0], 2, 200);

    assertThat(rest.end()).isEqualTo(at(100).after(NEW, new long[] {50, 60}, 3, 100).end());
  }

  /** Sure is what was read by a statement that saw the end of all that could be late there. */
  @Test
  void theFloorFollowsWhenEveryTransactionOfItsTimeHasEnded() {
    LogPosition before = at(100);
    LogPosition stillOpen = before.after(seen("22:40:22,33", 41), new long[] {150}, 10, 150).end();
    assertThat(stillOpen.floor().sure()).as("22 is below 23 and open").isEqualTo(100);

    LogPosition ended = stillOpen.after(seen("33:50:33", 51), new long[] {160}, 10, 160).end();
    assertThat(ended.floor().sure()).isEqualTo(100);
    assertThat(ended.floor().head()).as("the next candidate").isEqualTo(150);

    LogPosition later = ended.after(seen("41:60:", 61), new long[] {170}, 10, 170).end();
    assertThat(later.floor().sure()).isEqualTo(150);
  }

  /** The messages of an open window were not all read by what the window saw. */
  @Test
  void theFloorWaitsForAWindow() {
    LogPosition before = at(100).after(NEW, new long[] {150}, 10, 150).end();
    LogPosition inWindow =
        before.after(seen("90:90:", 91), new long[] {50, 60}, 10, 150).each().get(0);

    assertThat(inWindow.window()).isPresent();
    assertThat(inWindow.floor()).isEqualTo(before.floor());
  }

  @Test
  void itsTextIsForPeople() {
    assertThat(at(100)).hasToString("place 100");
    assertThat(at(100).after(NEW, new long[] {50, 60}, 2, 130).end())
        .hasToString("place 100 (late ones up to 60)");
    assertThat(Optional.of(TxSnapshot.parse("10:20:12,15"))).contains(OLD.snapshot());
  }
}
