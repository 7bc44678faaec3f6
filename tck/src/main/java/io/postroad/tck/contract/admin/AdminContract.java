package io.postroad.tck.contract.admin;

import static io.postroad.tck.contract.scene.DeadLetterScene.DECISION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.admin.BulkProgress;
import io.postroad.admin.DeadLetterCopy;
import io.postroad.admin.NotPossibleException;
import io.postroad.admin.OutboxAdmin;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Claim;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.Settlement;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import io.postroad.store.Pause;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.DeadLetterScene;
import io.postroad.tck.contract.scene.RecordingSender;
import io.postroad.tck.contract.scene.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@link OutboxAdmin} over this store: bulk verbs, edits, copies, and an answer to wrong input. */
@StoreContract
public final class AdminContract {
  private static final DeadLetterFilter ALL = DeadLetterFilter.all();

  @Test
  void everythingThatMatchesIsReplayedInBatches(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    List<UUID> killed = killMany(scene, "orders", 230);
    killMany(scene, "others", 3);
    List<Long> progress = new ArrayList<>();

    long replayed = admin.replayAll(ALL.withDestination("orders"), DECISION, progress::add);

    assertThat(replayed).isEqualTo(230);
    assertThat(progress).hasSizeGreaterThan(2).isSorted().endsWith(230L);
    assertThat(admin.backlog().dead()).isEqualTo(3);
    List<UUID> due = new ArrayList<>();
    for (List<Claim> some = scene.due(); !some.isEmpty(); some = scene.due()) {
      for (Claim claim : some) {
        due.add(claim.id());
        scene.settle(new Settlement.Delivered(claim));
      }
    }
    assertThat(due).containsExactlyInAnyOrderElementsOf(killed);
  }

  @Test
  void everythingThatMatchesIsDiscarded(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    killMany(scene, "orders", 130);
    List<UUID> others = killMany(scene, "others", 2);

    assertThat(admin.discardAll(ALL.withDestination("orders"), DECISION, BulkProgress.SILENT))
        .isEqualTo(130);

    assertThat(DeadLetterContract.ids(admin.deadLetters(ALL, Optional.empty(), 10)))
        .containsExactlyInAnyOrderElementsOf(others);
    assertThat(admin.audit(Optional.empty(), 200)).hasSize(130);
  }

  @Test
  void anEditedOneIsLinkedToTheOldOne(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    Message dead =
        Message.event("OrderPlaced")
            .to("orders")
            .key("k")
            .header("region", "eu")
            .tenant("acme")
            .schemaVersion(2)
            .json("{\"amount\":-1}")
            .build();
    scene.kill(dead, "negative amount");

    Message edited = admin.edit(dead.id(), builder -> builder.json("{\"amount\":1}"), DECISION);

    assertThat(edited.headers())
        .containsEntry("region", "eu")
        .containsEntry(OutboxAdmin.REPLACES, dead.id().toString());
    assertThat(edited.tenant()).contains("acme");
    assertThat(edited.schemaVersion()).isEqualTo(2);
    assertThat(scene.due()).extracting(Claim::message).containsExactly(edited);
    assertThat(admin.audit(Optional.of(dead.id()), 10).get(0).detail())
        .contains(edited.id().toString());
  }

  @Test
  void copiesKeepIdKeyHeadersPayloadAndSayWhatTheyDiedOf(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    Message dead =
        Message.event("OrderPlaced")
            .to("orders")
            .key("k")
            .header("region", "eu")
            .json("{\"amount\":-1}")
            .build();
    scene.kill(dead, "broken\n  in two lines");
    RecordingSender sender = RecordingSender.accepting();

    assertThat(admin.copyAll(ALL, sender, "outbox.dlq", BulkProgress.SILENT)).isEqualTo(1);

    Message copy = sender.sent().get(0);
    assertThat(copy.id()).isEqualTo(dead.id());
    assertThat(copy.destination()).isEqualTo("outbox.dlq");
    assertThat(copy.key()).contains("k");
    assertThat(copy.payload()).isEqualTo(dead.payload());
    assertThat(copy.headers())
        .containsEntry("region", "eu")
        .containsEntry(DeadLetterCopy.ERROR, "broken | in two lines")
        .containsEntry(DeadLetterCopy.DESTINATION, "orders")
        .containsEntry(DeadLetterCopy.ATTEMPTS, "1");
    assertThat(admin.deadLetter(dead.id()).message()).as("it stays").isEqualTo(dead);
  }

  /** One that could not be copied would stop all that died later, each time. */
  @Test
  void whatHasAllHeadersThatItMayAndALongErrorIsCopied(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    Message.Builder full = Message.event("OrderPlaced").to("orders").json("{}");
    for (int i = 0; i < 64; i++) {
      full = full.header("header-" + i, "value");
    }
    scene.kill(full.build(), "broken\n".repeat(800));
    RecordingSender sender = RecordingSender.accepting();

    assertThat(admin.copyAll(ALL, sender, "outbox.dlq", BulkProgress.SILENT)).isEqualTo(1);

    assertThat(sender.sent().get(0).headers()).hasSize(68).containsEntry("header-63", "value");
    assertThat(sender.sent().get(0).headers().get(DeadLetterCopy.ERROR))
        .startsWith("broken | broken")
        .hasSizeLessThanOrEqualTo(4096);
  }

  @Test
  void everythingThatMatchesIsCopiedOnceTheLongestDeadFirst(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    killMany(scene, "orders", 130);
    killMany(scene, "others", 3);
    RecordingSender sender = RecordingSender.accepting();
    List<Long> progress = new ArrayList<>();

    assertThat(admin.copyAll(ALL.withDestination("orders"), sender, "outbox.dlq", progress::add))
        .isEqualTo(130);

    assertThat(progress).containsExactly(100L, 130L);
    assertThat(sender.sentIds())
        .isEqualTo(
            DeadLetterContract.ids(
                admin.deadLetters(ALL.withDestination("orders"), Optional.empty(), 200)));
    assertThat(admin.audit(Optional.empty(), 10)).as("nothing was decided").isEmpty();
  }

  @Test
  void aCopyThatTheBrokerDoesNotTakeIsAnErrorThatNamesIt(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    Message dead = Samples.ordered("k");
    scene.kill(dead, "dead");
    RecordingSender sender =
        RecordingSender.answering(message -> SendOutcome.Rejected.forGood("unknown topic"));

    assertThatThrownBy(() -> admin.copyAll(ALL, sender, "outbox.dlq", BulkProgress.SILENT))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining(dead.id().toString())
        .hasMessageContaining("unknown topic");

    assertThat(tck.find(dead.id()).status()).isEqualTo(MessageStatus.FAILED);
  }

  @Test
  void aCopyOfWhichNothingIsKnownIsAnErrorThatSaysWhy(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    scene.kill(Samples.ordered("k"), "dead");
    RecordingSender sender =
        RecordingSender.answering(message -> new SendOutcome.Unknown("nobody answered"));

    assertThatThrownBy(() -> admin.copyAll(ALL, sender, "outbox.dlq", BulkProgress.SILENT))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("was not copied to 'outbox.dlq': nobody answered; it and");
  }

  @Test
  void anUnknownIdIsAnswered(StoreUnderTest tck) throws Exception {
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    UUID unknown = UUID.randomUUID();

    for (Runnable call : calls(admin, unknown)) {
      assertThatThrownBy(call::run)
          .isInstanceOf(NotPossibleException.class)
          .hasMessageContaining(unknown.toString())
          .hasMessageContaining("no message of that id is stored");
    }
  }

  @Test
  void aMessageThatIsNotDeadIsAnsweredWithItsStatus(StoreUnderTest tck) throws Exception {
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    Message pending = Samples.ordered("k");
    tck.append(pending);

    for (Runnable call : calls(admin, pending.id())) {
      assertThatThrownBy(call::run)
          .isInstanceOf(NotPossibleException.class)
          .hasMessageContaining("PENDING")
          .hasMessageContaining("nothing was changed");
    }
    assertThat(admin.audit(Optional.empty(), 10)).isEmpty();
  }

  @Test
  void oneThatWasDiscardedIsAnsweredWithWhoDidItAndWhy(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    Message dead = Samples.ordered("k");
    scene.kill(dead, "dead");
    admin.discard(dead.id(), DECISION);

    for (Runnable call : calls(admin, dead.id())) {
      assertThatThrownBy(call::run)
          .isInstanceOf(NotPossibleException.class)
          .hasMessageContaining("discard")
          .hasMessageContaining(DECISION.by())
          .hasMessageContaining(DECISION.reason());
    }
    assertThat(admin.audit(Optional.empty(), 10)).hasSize(1);
  }

  @Test
  void aFilterThatMatchesNothingIsAnswered(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    scene.kill(Samples.ordered("k"), "dead");
    DeadLetterFilter nothing = ALL.withDestination("nowhere").withErrorContaining("broken");

    assertThatThrownBy(() -> admin.replayAll(nothing, DECISION, BulkProgress.SILENT))
        .isInstanceOf(NotPossibleException.class)
        .hasMessageContaining(
            "no dead letter matches destination 'nowhere', error containing 'broken', nothing");
    assertThatThrownBy(() -> admin.discardAll(nothing, DECISION, BulkProgress.SILENT))
        .isInstanceOf(NotPossibleException.class);

    assertThat(admin.backlog().dead()).isEqualTo(1);
  }

  @Test
  void aBulkVerbWithoutAnyDeadLetterIsAnswered(StoreUnderTest tck) throws Exception {
    OutboxAdmin admin = OutboxAdmin.over(tck.store());

    assertThatThrownBy(() -> admin.replayAll(ALL, DECISION, BulkProgress.SILENT))
        .isInstanceOf(NotPossibleException.class)
        .hasMessage("there is no dead letter, nothing was changed");
  }

  @Test
  void anEditThatIsNotValidChangesNothing(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    Message dead = Samples.ordered("k");
    scene.kill(dead, "dead");

    assertThatThrownBy(() -> admin.edit(dead.id(), edit -> edit.to("elsewhere"), DECISION))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("elsewhere");
    assertThatThrownBy(() -> admin.edit(dead.id(), edit -> edit.schemaVersion(0), DECISION))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("schema version");

    assertThat(admin.deadLetter(dead.id()).message()).isEqualTo(dead);
  }

  @Test
  void aKeyThatIsNotParkedIsNotReleased(StoreUnderTest tck) throws Exception {
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    boolean ordered = tck.store() instanceof OrderedStore<Object>;

    assertThatThrownBy(() -> admin.release(new OrderKey("orders", "key/k"), DECISION))
        .isInstanceOf(NotPossibleException.class)
        .hasMessageContaining(ordered ? "'key/k'" : "keeps no order");
  }

  @Test
  void destinationsArePausedAndResumedOnce(StoreUnderTest tck) throws Exception {
    OutboxAdmin admin = OutboxAdmin.over(tck.store());
    admin.pause("orders", DECISION);

    assertThat(admin.paused()).extracting(Pause::destination).containsExactly("orders");
    assertThatThrownBy(() -> admin.pause("orders", DECISION))
        .isInstanceOf(NotPossibleException.class)
        .hasMessageContaining("paused already, by tck since")
        .hasMessageContaining(DECISION.reason());
    assertThatThrownBy(() -> admin.resume("order", DECISION))
        .isInstanceOf(NotPossibleException.class)
        .hasMessageContaining("'order' is not paused")
        .hasMessageContaining("paused are: orders");
    assertThatThrownBy(() -> admin.pause("", DECISION))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nothing was changed");
    assertThat(admin.auditOfDestination("orders", 10)).hasSize(1);

    admin.resume("orders", DECISION);

    assertThat(admin.paused()).isEmpty();
    assertThat(admin.blockedDestinations()).isEmpty();
    assertThat(admin.auditOfDestination("orders", 10)).hasSize(2);
  }

  private static List<Runnable> calls(OutboxAdmin admin, UUID id) {
    return List.of(
        () -> admin.deadLetter(id),
        () -> admin.replay(id, DECISION),
        () -> admin.discard(id, DECISION),
        () -> admin.edit(id, edit -> edit, DECISION));
  }

  private static List<UUID> killMany(DeadLetterScene scene, String destination, int count)
      throws Exception {
    List<Message> messages =
        IntStream.range(0, count)
            .mapToObj(i -> Message.event("E").to(destination).key("key-" + i).json("{}").build())
            .toList();
    scene.killAll(messages, "dead");
    return Samples.ids(messages);
  }
}
