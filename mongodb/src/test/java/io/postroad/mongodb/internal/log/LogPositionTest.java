package io.postroad.mongodb.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Positions against the simplest model of them: the set of all sequence numbers that were seen. */
final class LogPositionTest {

  /** Readers that see what is visible, in steps of any size, and a model that only remembers. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aPositionKnowsWhatWasSeen(long seed) {
    Random random = new Random(seed);
    TreeSet<Long> visible = new TreeSet<>();
    TreeSet<Long> open = new TreeSet<>();
    TreeSet<Long> seen = new TreeSet<>();
    LogPosition position = LogPosition.START;
    long drawn = 0;
    for (int step = 0; step < 400; step++) {
      switch (random.nextInt(4)) {
        case 0 -> {
          for (int i = random.nextInt(4); i >= 0; i--) {
            open.add(++drawn);
          }
        }
        case 1 -> {
          List<Long> some = new ArrayList<>(open);
          for (int i = random.nextInt(4); i >= 0 && !some.isEmpty(); i--) {
            Long one = some.remove(random.nextInt(some.size()));
            open.remove(one);
            if (random.nextInt(4) > 0) {
              visible.add(one);
            }
          }
        }
        default -> {
          int limit = 1 + random.nextInt(5);
          LogPosition from = position;
          for (long sequence :
              visible.stream().filter(t -> !from.covers(t)).limit(limit).toList()) {
            position = position.after(sequence);
            seen.add(sequence);
          }
          position = LogPosition.of(stored(position));
        }
      }
      assertSame(position, seen, drawn);
    }
    assertThat(seen).isNotEmpty();
    assertThat(position.gaps().isEmpty()).as("some were rolled back").isFalse();
  }

  private static void assertSame(LogPosition position, NavigableSet<Long> seen, long drawn) {
    long head = seen.isEmpty() ? 0 : seen.last();
    assertThat(position.head()).isEqualTo(head);
    long missing = 0;
    for (long sequence = 1; sequence <= drawn + 1; sequence++) {
      boolean covered = seen.contains(sequence);
      if (position.covers(sequence) != covered) {
        throw new AssertionError(position + " says otherwise of sequence " + sequence);
      }
      missing += sequence <= head && !covered ? 1 : 0;
    }
    assertThat(position.gaps().count()).isEqualTo(missing);
    long complete = position.complete();
    assertThat(seen.headSet(complete, true)).hasSize((int) complete);
    assertThat(seen).doesNotContain(complete + 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void manyTicketsInOneGoLeaveThePositionThatTheyLeaveOneByOne(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      LogPosition before = LogPosition.START;
      for (long sequence : some(random)) {
        before = before.after(sequence);
      }
      LogPosition from = before;
      TreeSet<Long> read = new TreeSet<>(some(random));
      some(random).forEach(sequence -> read.add(sequence + 20));
      long[] sequences =
          read.stream()
              .filter(sequence -> !from.covers(sequence))
              .mapToLong(Long::longValue)
              .toArray();
      LogPosition oneByOne = from;
      for (int count = 0; count <= sequences.length; count++) {
        LogPosition inOneGo = from.afterAll(sequences, count);
        assertThat(inOneGo.head()).isEqualTo(oneByOne.head());
        assertThat(inOneGo.gaps().bounds()).isEqualTo(oneByOne.gaps().bounds());
        oneByOne = count < sequences.length ? oneByOne.after(sequences[count]) : oneByOne;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void whatIsMissingInBothIsTheIntersection(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      NavigableSet<Long> one = some(random);
      NavigableSet<Long> two = some(random);
      TreeSet<Long> both = new TreeSet<>(one);
      both.retainAll(two);

      assertThat(gaps(one).and(gaps(two)).bounds()).isEqualTo(gaps(both).bounds());
    }
  }

  @Test
  void entriesWithoutGapsShareOneStructure() {
    LogPosition position = LogPosition.START.after(3);

    assertThat(position.gaps().bounds()).containsExactly(1, 2);
    assertThat(position.after(4).after(5).gaps()).isSameAs(position.gaps());
    assertThat(position.after(4).after(4).head()).isEqualTo(4);
    assertThat(position.after(1).after(2).gaps()).isSameAs(Gaps.NONE);
  }

  @Test
  void ticketsThatFollowEachOtherAreOneRange() {
    assertThat(LogPosition.START.after(1).after(101).gaps().ranges())
        .containsExactly(new Gaps.Range(2, 100));
    assertThat(LogPosition.START.after(101).after(50).toString())
        .isEqualTo("sequence 101 without [1-49,51-100]");
  }

  @Test
  void whatIsNoPositionIsRefused() {
    assertThatThrownBy(() -> Gaps.of(1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Gaps.of(5, 4)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Gaps.of(1, 4, 5, 6)).isInstanceOf(IllegalArgumentException.class);
  }

  private static BsonDocument stored(LogPosition position) {
    return BsonDocument.parse(
        new BsonDocument("head", position.headValue())
            .append("gaps", position.gapsValue())
            .toJson());
  }

  private static NavigableSet<Long> some(Random random) {
    TreeSet<Long> sequences = new TreeSet<>();
    for (long sequence = 1; sequence <= 30; sequence++) {
      if (random.nextInt(3) > 0) {
        sequences.add(sequence);
      }
    }
    return sequences;
  }

  private static Gaps gaps(Set<Long> sequences) {
    Gaps gaps = Gaps.NONE;
    for (long sequence : sequences) {
      gaps = gaps.plus(sequence, sequence);
    }
    return gaps;
  }
}
