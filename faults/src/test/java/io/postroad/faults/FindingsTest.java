package io.postroad.faults;

import static io.postroad.faults.StoreKind.COMPETING;
import static io.postroad.faults.StoreKind.ORDERED;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.faults.Topic.Arrival;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The judge is judged: each kind of broken promise must be seen. */
class FindingsTest {
  private final UUID one = UUID.randomUUID();
  private final UUID two = UUID.randomUUID();

  @Test
  void everythingOnceAndInOrderIsOk() {
    Findings findings =
        Findings.of(
            COMPETING, Set.of(one, two), Set.of(one), Set.of(), List.of(at(one, 1), at(two, 2)));

    assertThat(findings.ok()).isTrue();
    assertThat(findings)
        .hasToString("committed=2 lost=0 phantoms=0 dead=0 vanished=0 duplicates=0 out-of-order=0");
  }

  @Test
  void aCommittedEventThatDidNotArriveIsLost() {
    Findings findings =
        Findings.of(COMPETING, Set.of(one, two), Set.of(one, two), Set.of(), List.of(at(one, 1)));

    assertThat(findings.lost()).containsExactly(two);
    assertThat(findings.ok()).isFalse();
  }

  @Test
  void anEventThatWasNotCommittedIsAPhantom() {
    Findings findings =
        Findings.of(COMPETING, Set.of(one), Set.of(one), Set.of(), List.of(at(one, 1), at(two, 2)));

    assertThat(findings.phantoms()).containsExactly(two);
    assertThat(findings.ok()).isFalse();
  }

  @Test
  void anAcknowledgedCommitWithoutItsRowHasVanished() {
    Findings findings =
        Findings.of(COMPETING, Set.of(one), Set.of(one, two), Set.of(), List.of(at(one, 1)));

    assertThat(findings.vanished()).containsExactly(two);
    assertThat(findings.ok()).isFalse();
  }

  @Test
  void aDeadLetterIsNotOkEvenIfItArrived() {
    Findings findings =
        Findings.of(COMPETING, Set.of(one), Set.of(one), Set.of(one), List.of(at(one, 1)));

    assertThat(findings.ok()).isFalse();
  }

  @Test
  void repeatsAndOrderAreCountedByFirstOccurrences() {
    Findings findings =
        Findings.of(
            COMPETING,
            Set.of(one, two),
            Set.of(one, two),
            Set.of(),
            List.of(at(two, 2), at(one, 1), at(two, 2), at(one, 1)));

    assertThat(findings.duplicates()).isEqualTo(2);
    assertThat(findings.outOfOrder()).isEqualTo(1);
    assertThat(findings.ok()).isTrue();
  }

  @Test
  void anOrderedOutboxMustKeepTheOrderOfFirstOccurrences() {
    Findings swapped =
        Findings.of(
            ORDERED, Set.of(one, two), Set.of(one, two), Set.of(), List.of(at(two, 2), at(one, 1)));
    Findings repeated =
        Findings.of(
            ORDERED,
            Set.of(one, two),
            Set.of(one, two),
            Set.of(),
            List.of(at(one, 1), at(two, 2), at(one, 1)));

    assertThat(swapped.ok()).isFalse();
    assertThat(repeated.ok()).isTrue();
  }

  private static Arrival at(UUID event, int number) {
    return new Arrival(event, "account", number);
  }
}
