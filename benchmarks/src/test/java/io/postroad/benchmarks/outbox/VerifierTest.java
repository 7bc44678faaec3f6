package io.postroad.benchmarks.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VerifierTest {
  private final Ledger ledger = new Ledger();
  private final Verifier verifier = new Verifier();
  private final List<Event> committed = commit(7, 5);

  @Test
  void allEventsOnceAndInOrderAreClean() {
    verifier.receive(committed);

    assertThat(verifier.against(ledger)).isEqualTo(Verification.NOTHING);
  }

  @Test
  void anEventThatIsMissingIsLost() {
    verifier.receive(without(committed, 2));

    assertThat(verifier.against(ledger)).isEqualTo(new Verification(1, 0, 0, 0, 0));
    assertThat(verifier.against(ledger).isComplete()).isFalse();
  }

  @Test
  void aMissingLastEventOfAKeyIsLost() {
    verifier.receive(without(committed, 4));

    assertThat(verifier.against(ledger).lost()).isEqualTo(1);
  }

  @Test
  void aKeyWithoutAnyEventIsLost() {
    commit(8, 3);
    verifier.receive(committed);

    assertThat(verifier.against(ledger).lost()).isEqualTo(3);
  }

  @Test
  void aRepeatedEventIsDuplicatedAndNotOutOfOrder() {
    verifier.receive(committed);
    verifier.receive(committed.subList(1, 3));

    assertThat(verifier.against(ledger)).isEqualTo(new Verification(0, 2, 0, 0, 0));
    assertThat(verifier.against(ledger).isComplete()).isTrue();
  }

  @Test
  void anEventBehindALaterOneOfItsKeyIsOutOfOrder() {
    List<Event> swapped = new ArrayList<>(committed);
    Collections.swap(swapped, 1, 2);
    verifier.receive(swapped);

    assertThat(verifier.against(ledger)).isEqualTo(new Verification(0, 0, 1, 1, 0));
  }

  @Test
  void aKeyThatLostItsOrderManyTimesCountsOnce() {
    List<Event> others = commit(8, 3);
    verifier.receive(reversed(committed));
    verifier.receive(reversed(others));

    assertThat(verifier.against(ledger)).isEqualTo(new Verification(0, 0, 6, 2, 0));
    assertThat(verifier.against(ledger).isInOrder()).isFalse();
  }

  @Test
  void anOvertakenEventIsOutOfOrderAndARepeatedOneIsNot() {
    verifier.receive(List.of(committed.get(0), committed.get(2), committed.get(0)));
    verifier.receive(List.of(committed.get(1), committed.get(3), committed.get(4)));

    assertThat(verifier.against(ledger)).isEqualTo(new Verification(0, 1, 1, 1, 0));
  }

  @Test
  void keysMayOvertakeEachOther() {
    List<Event> others = commit(8, 3);
    verifier.receive(others);
    verifier.receive(committed);

    assertThat(verifier.against(ledger)).isEqualTo(Verification.NOTHING);
  }

  @Test
  void anEventThatWasNeverCommittedIsNotAcceptable() {
    verifier.receive(committed);
    verifier.receive(List.of(new Event(7, 5)));

    assertThat(verifier.against(ledger)).isEqualTo(new Verification(0, 0, 0, 0, 1));
    assertThat(verifier.against(ledger).isComplete()).isFalse();
  }

  @Test
  void waitingEndsWhenNothingMoreArrives() throws InterruptedException {
    verifier.receive(without(committed, 0));

    verifier.await(ledger.total(), Duration.ofMillis(1));

    assertThat(verifier.against(ledger).lost()).isEqualTo(1);
  }

  private List<Event> commit(int key, int count) {
    List<Event> events = IntStream.range(0, count).mapToObj(seq -> new Event(key, seq)).toList();
    events.forEach(ledger::committed);
    return events;
  }

  private static List<Event> reversed(List<Event> events) {
    List<Event> backwards = new ArrayList<>(events);
    Collections.reverse(backwards);
    return backwards;
  }

  private static List<Event> without(List<Event> events, int index) {
    List<Event> rest = new ArrayList<>(events);
    rest.remove(index);
    return rest;
  }
}
