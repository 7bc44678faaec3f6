package io.postroad.tck.contract.admin;

import static io.postroad.tck.contract.scene.DeadLetterScene.DECISION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.DeadLetterScene;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A dead letter is sent again, itself or another in its place. */
@StoreContract
public final class ReplayContract {

  /** replay, MUST 1. */
  @Test
  void aReplayedOneIsDueNowWithAllItsAttempts(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message message = Samples.ordered("k");
    scene.kill(message, "broken");

    assertThat(scene.letters().replay(List.of(message.id()), DECISION))
        .containsExactly(message.id());

    StoredMessage stored = tck.find(message.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored.attempts()).isZero();
    assertThat(stored.lastError()).contains("broken");
    assertThat(scene.letters().find(message.id())).isEmpty();
    assertThat(tck.store().backlog().dead()).isZero();
    assertThat(tck.store().backlog().pending()).isEqualTo(1);
    List<Claim> due = scene.due();
    assertThat(due).extracting(Claim::message).containsExactly(message);
    assertThat(due.get(0).attempt()).isEqualTo(1);
  }

  @Test
  void aReplayedOneCanBeDelivered(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message message = Samples.ordered("k");
    scene.kill(message, "broken");
    scene.letters().replay(List.of(message.id()), DECISION);

    scene.settle(new Settlement.Delivered(scene.due().get(0)));

    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
    tck.advance(Duration.ofDays(1));
    assertThat(scene.due()).isEmpty();
  }

  @Test
  void replayingTwiceIsReplayingOnce(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message message = Samples.ordered("k");
    scene.kill(message, "broken");

    assertThat(scene.letters().replay(List.of(message.id(), message.id()), DECISION)).hasSize(1);
    Claim claim = scene.due().get(0);
    assertThat(scene.letters().replay(List.of(message.id()), DECISION)).isEmpty();

    scene.settle(new Settlement.Delivered(claim));
    assertThat(scene.due()).isEmpty();
  }

  /** replay, MUST 4. */
  @Test
  void manyAreReplayedAndOthersLeftAlone(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message one = Samples.ordered("a");
    Message two = Samples.ordered("b");
    Message other = Samples.ordered("c");
    scene.kill(one, "broken");
    scene.kill(two, "broken");
    scene.kill(other, "broken");

    Set<UUID> replayed =
        scene.letters().replay(List.of(one.id(), UUID.randomUUID(), two.id()), DECISION);

    assertThat(replayed).containsExactlyInAnyOrder(one.id(), two.id());
    assertThat(scene.due()).extracting(Claim::message).containsExactlyInAnyOrder(one, two);
    assertThat(tck.find(other.id()).status()).isEqualTo(MessageStatus.FAILED);
  }

  @Test
  void oneOfSeveralCallersReplaysIt(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message message = Samples.ordered("k");
    scene.kill(message, "broken");

    List<Set<UUID>> answers =
        tck.together(4, () -> scene.letters().replay(List.of(message.id()), DECISION));

    assertThat(answers.stream().filter(answer -> !answer.isEmpty())).hasSize(1);
    assertThat(scene.due()).hasSize(1);
  }

  /** replace, MUST 1. */
  @Test
  void aReplacementIsSentInItsPlace(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message dead = Samples.ordered("k");
    Claim claim = scene.kill(dead, "broken");
    Message edited =
        Message.event("OrderPlacedAgain")
            .to(dead.destination())
            .key("k")
            .header("mended", "yes")
            .json("{\"order\":43}")
            .build();

    assertThat(scene.letters().replace(dead.id(), edited, DECISION)).isTrue();

    assertThat(tck.store().find(dead.id())).isEmpty();
    assertThat(scene.letters().find(dead.id())).isEmpty();
    assertThat(tck.find(edited.id()).status()).isEqualTo(MessageStatus.PENDING);
    Claim due = scene.due().get(0);
    assertThat(due.message()).isEqualTo(edited);
    assertThat(due.attempt()).isEqualTo(1);
    assertThat(due.appendedAt()).isEqualTo(claim.appendedAt());
    scene.settle(new Settlement.Delivered(due));
    assertThat(tck.find(edited.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
    assertThat(tck.store().backlog().dead()).isZero();
  }

  @Test
  void whatIsNotDeadIsNotReplaced(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message pending = Samples.ordered("k");
    tck.append(pending);

    assertThat(scene.letters().replace(pending.id(), Samples.ordered("k"), DECISION)).isFalse();
    assertThat(scene.letters().replace(UUID.randomUUID(), Samples.ordered("k"), DECISION))
        .isFalse();

    assertThat(scene.due()).extracting(Claim::message).containsExactly(pending);
  }

  @Test
  void aReplacementThatDoesNotFitIsRefusedAndNothingChanges(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message dead = Samples.ordered("k");
    scene.kill(dead, "broken");
    List<Message> wrong =
        List.of(
            Samples.ordered("another key"),
            Samples.message(),
            Message.event("OrderPlaced").to("elsewhere").key("k").json("{}").build(),
            Samples.builder()
                .key("k")
                .notBefore(tck.store().now().plus(Duration.ofDays(1)))
                .build());

    for (Message replacement : wrong) {
      assertThatThrownBy(() -> scene.letters().replace(dead.id(), replacement, DECISION))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(dead.id().toString())
          .hasMessageContaining("nothing was changed");
    }
    assertThatThrownBy(() -> scene.letters().replace(dead.id(), dead, DECISION))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining(dead.id().toString());

    assertThat(tck.find(dead.id()).status()).isEqualTo(MessageStatus.FAILED);
    assertThat(scene.due()).isEmpty();
    assertThat(scene.letters().find(dead.id()).orElseThrow().message()).isEqualTo(dead);
  }
}
