package io.postroad.tck.contract.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.spi.PauseStore;
import io.postroad.store.AuditEntry;
import io.postroad.store.Decision;
import io.postroad.store.Pause;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Destinations that people pause, for every node. */
@StoreContract
public final class PauseContract {
  private static final Decision PAUSER = new Decision("on-call", "their release goes wrong");
  private static final Decision RESUMER = new Decision("release-job", "they are 'back'");

  @Test
  void aPauseIsSeenByEveryNode(StoreUnderTest tck) throws Exception {
    PauseStore pauses = tck.store().pauses();
    Instant before = tck.store().now();

    assertThat(pauses.pause("orders", PAUSER)).isTrue();

    List<Pause> seen = tck.anotherNode().pauses().list();
    assertThat(seen).hasSize(1);
    Pause pause = seen.get(0);
    assertThat(pause.destination()).isEqualTo("orders");
    assertThat(pause.by()).isEqualTo("on-call");
    assertThat(pause.reason()).isEqualTo("their release goes wrong");
    assertThat(pause.since()).isBetween(before, before.plus(Duration.ofHours(1)));
  }

  @Test
  void aResumedDestinationIsNotPaused(StoreUnderTest tck) throws Exception {
    PauseStore pauses = tck.store().pauses();
    pauses.pause("orders", PAUSER);
    pauses.pause("others", PAUSER);

    assertThat(tck.anotherNode().pauses().resume("orders", RESUMER)).isTrue();

    assertThat(pauses.list()).extracting(Pause::destination).containsExactly("others");
    assertThat(pauses.pause("orders", RESUMER)).as("once more").isTrue();
  }

  @Test
  void theFirstPauseCounts(StoreUnderTest tck) throws Exception {
    PauseStore pauses = tck.store().pauses();
    pauses.pause("orders", PAUSER);
    List<Pause> first = pauses.list();
    tck.advance(Duration.ofMinutes(1));

    assertThat(pauses.pause("orders", RESUMER)).isFalse();

    assertThat(pauses.list()).isEqualTo(first);
    assertThat(audit(tck, Optional.empty())).hasSize(1);
  }

  @Test
  void whatIsNotPausedIsNotResumed(StoreUnderTest tck) throws Exception {
    PauseStore pauses = tck.store().pauses();
    pauses.pause("orders", PAUSER);

    assertThat(pauses.resume("order", RESUMER)).isFalse();

    assertThat(pauses.list()).hasSize(1);
    assertThat(audit(tck, Optional.empty())).hasSize(1);
  }

  @Test
  void theyAreListedInTheOrderOfTheirNames(StoreUnderTest tck) throws Exception {
    PauseStore pauses = tck.store().pauses();
    List<String> names = List.of("Z", "a-1", "a.b", "aB", "ab", "b");
    List.of("ab", "b", "a-1", "Z", "aB", "a.b").forEach(name -> pauses.pause(name, PAUSER));

    assertThat(pauses.list()).extracting(Pause::destination).containsExactlyElementsOf(names);
  }

  @Test
  void bothAreWrittenDown(StoreUnderTest tck) throws Exception {
    PauseStore pauses = tck.store().pauses();
    pauses.pause("orders", PAUSER);
    tck.advance(Duration.ofSeconds(1));
    pauses.pause("others", PAUSER);
    tck.advance(Duration.ofSeconds(1));
    pauses.resume("orders", RESUMER);

    List<AuditEntry> entries = audit(tck, Optional.of("orders"));

    assertThat(entries).extracting(AuditEntry::action).containsExactly("resume", "pause");
    assertThat(entries).extracting(AuditEntry::by).containsExactly("release-job", "on-call");
    assertThat(entries)
        .extracting(AuditEntry::reason)
        .containsExactly("they are 'back'", "their release goes wrong");
    assertThat(entries.get(0).detail()).contains("by=on-call", "their release goes wrong");
  }

  @Test
  void ofManyAtOnceOneIsToldYes(StoreUnderTest tck) throws Exception {
    PauseStore pauses = tck.store().pauses();
    PauseStore elsewhere = tck.anotherNode().pauses();
    AtomicInteger turn = new AtomicInteger();

    List<Boolean> answers =
        tck.together(
            4,
            () -> (turn.getAndIncrement() % 2 == 0 ? pauses : elsewhere).pause("orders", PAUSER));

    assertThat(Collections.frequency(answers, true)).isEqualTo(1);
    assertThat(audit(tck, Optional.of("orders"))).hasSize(1);
  }

  @Test
  void whatCannotBeADestinationIsRefused(StoreUnderTest tck) throws Exception {
    PauseStore pauses = tck.store().pauses();

    assertThatThrownBy(() -> pauses.pause(" ", PAUSER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 255 characters");
    assertThatThrownBy(() -> pauses.resume("x".repeat(256), PAUSER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("256");
    assertThat(pauses.list()).isEmpty();
  }

  private static List<AuditEntry> audit(StoreUnderTest tck, Optional<String> subject)
      throws Exception {
    return tck.store().deadLetters().audit(subject, 10);
  }
}
