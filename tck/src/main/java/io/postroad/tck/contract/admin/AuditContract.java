package io.postroad.tck.contract.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.store.AuditEntry;
import io.postroad.store.Decision;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.DeadLetterScene;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each decision is stored with its operator and reason. */
@StoreContract
public final class AuditContract {

  @Test
  void everyDecisionIsWrittenDown(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message replayed = Samples.ordered("a");
    Message replaced = Samples.ordered("b");
    Message discarded = Samples.ordered("c");
    Message replacement = Samples.ordered("b");
    scene.kill(replayed, "error of a");
    scene.kill(replaced, "error of b");
    scene.kill(discarded, "error of c");
    Instant before = tck.store().now();

    scene.letters().replay(List.of(replayed.id()), new Decision("on-call", "topic was created"));
    tck.advance(Duration.ofSeconds(1));
    scene
        .letters()
        .replace(replaced.id(), replacement, new Decision("release-job", "wrong amount"));
    tck.advance(Duration.ofSeconds(1));
    scene.letters().discard(List.of(discarded.id()), new Decision("night-shift", "'test' data"));

    List<AuditEntry> entries = scene.letters().audit(Optional.empty(), 10);
    assertThat(entries)
        .extracting(AuditEntry::action)
        .containsExactly("discard", "replace", "replay");
    assertThat(entries)
        .extracting(AuditEntry::by)
        .containsExactly("night-shift", "release-job", "on-call");
    assertThat(entries)
        .extracting(AuditEntry::reason)
        .containsExactly("'test' data", "wrong amount", "topic was created");
    assertThat(entries)
        .extracting(AuditEntry::subject)
        .containsExactly(
            discarded.id().toString(), replaced.id().toString(), replayed.id().toString());
    assertThat(entries.get(0).detail()).contains("error of c", "key=c", "type=OrderPlaced");
    assertThat(entries.get(1).detail()).contains("replacement=" + replacement.id());
    assertThat(entries)
        .allSatisfy(
            entry -> assertThat(entry.at()).isBetween(before, before.plus(Duration.ofHours(1))));
  }

  @Test
  void theAuditOfOneSubjectIsFound(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message one = Samples.ordered("a");
    Message other = Samples.ordered("b");
    scene.kill(one, "dead");
    scene.kill(other, "dead");
    scene.letters().discard(List.of(one.id(), other.id()), DeadLetterScene.DECISION);

    assertThat(scene.letters().audit(Optional.of(one.id().toString()), 10))
        .extracting(AuditEntry::subject)
        .containsExactly(one.id().toString());
    assertThat(scene.letters().audit(Optional.of("nothing"), 10)).isEmpty();
    assertThat(scene.letters().audit(Optional.empty(), 1)).hasSize(1);
  }

  @Test
  void oldEntriesArePurgedAFewAtATime(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    for (int i = 0; i < 3; i++) {
      Message message = Samples.ordered("old-" + i);
      scene.kill(message, "dead");
      scene.letters().discard(List.of(message.id()), DeadLetterScene.DECISION);
    }
    tck.advance(Duration.ofDays(1));
    Instant between = tck.store().now();
    tck.advance(Duration.ofDays(1));
    Message young = Samples.ordered("young");
    scene.kill(young, "dead");
    scene.letters().discard(List.of(young.id()), DeadLetterScene.DECISION);

    assertThat(scene.letters().purgeAudit(between, 2)).isEqualTo(2);
    assertThat(scene.letters().purgeAudit(between, 2)).isEqualTo(1);
    assertThat(scene.letters().purgeAudit(between, 2)).isZero();

    assertThat(scene.letters().audit(Optional.empty(), 10))
        .extracting(AuditEntry::subject)
        .containsExactly(young.id().toString());
  }
}
