package io.postroad.tck.contract.admin;

import static io.postroad.tck.contract.scene.DeadLetterScene.DECISION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.Settlement;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.DeadLetterScene;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Dead letters are listed, found, and removed by a decision that is written down. */
@StoreContract
public final class DeadLetterContract {
  private static final DeadLetterFilter ALL = DeadLetterFilter.all();

  @Test
  void aStoreWithoutDeadLettersListsNone(StoreUnderTest tck) throws Exception {
    tck.append(Samples.ordered("k"));

    assertThat(letters(tck).list(ALL, Optional.empty(), 10)).isEmpty();
    assertThat(letters(tck).find(UUID.randomUUID())).isEmpty();
    assertThat(letters(tck).audit(Optional.empty(), 10)).isEmpty();
  }

  @Test
  void aDeadLetterIsShownWhole(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message message =
        Message.command("ReserveStock")
            .to("stock.commands")
            .aggregate("Order", "order-4711")
            .key("customer-17")
            .header("tenant-region", "eu: \"1\"")
            .json("{\"sku\":\"A-1\"}")
            .tenant("acme")
            .schemaVersion(3)
            .build();
    Instant before = tck.store().now();
    Claim claim = scene.kill(message, "unknown topic: 100% '_' \\ .*");

    DeadLetter letter = letters(tck).find(message.id()).orElseThrow();

    assertThat(letter.message()).isEqualTo(message);
    assertThat(letter.attempts()).isEqualTo(1);
    assertThat(letter.error()).isEqualTo("unknown topic: 100% '_' \\ .*");
    assertThat(letter.appendedAt()).isEqualTo(claim.appendedAt());
    assertThat(letter.diedAt()).isBetween(before, tck.store().now());
    assertThat(letters(tck).list(ALL, Optional.empty(), 10)).containsExactly(letter);
  }

  @Test
  void whatIsNotDeadIsNoDeadLetter(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message dead = Samples.ordered("a");
    scene.kill(dead, "dead");
    Message pending = Samples.ordered("b");
    tck.append(pending);

    assertThat(letters(tck).find(pending.id())).isEmpty();
    assertThat(ids(letters(tck).list(ALL, Optional.empty(), 10))).containsExactly(dead.id());
  }

  @Test
  void theLongestDeadComesFirstAndListsGoOnAtTheirMark(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    List<UUID> killed = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      Message message = Samples.ordered("key-" + i);
      scene.kill(message, "dead " + i);
      killed.add(message.id());
      tck.advance(Duration.ofSeconds(1));
    }

    List<UUID> listed = new ArrayList<>();
    Optional<DeadLetter.Mark> mark = Optional.empty();
    for (List<DeadLetter> page = letters(tck).list(ALL, mark, 3);
        !page.isEmpty();
        page = letters(tck).list(ALL, mark, 3)) {
      assertThat(page).hasSizeLessThanOrEqualTo(3);
      listed.addAll(ids(page));
      mark = Optional.of(page.get(page.size() - 1).mark());
    }

    assertThat(listed).containsExactlyElementsOf(killed);
  }

  @Test
  void thoseOfOneMomentAreListedOnceEach(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    List<UUID> killed = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Message message = Samples.ordered("key-" + i);
      scene.kill(message, "dead");
      killed.add(message.id());
    }

    List<UUID> listed = new ArrayList<>();
    Optional<DeadLetter.Mark> mark = Optional.empty();
    for (List<DeadLetter> page = letters(tck).list(ALL, mark, 1);
        !page.isEmpty();
        page = letters(tck).list(ALL, mark, 1)) {
      listed.addAll(ids(page));
      mark = Optional.of(page.get(0).mark());
    }

    assertThat(listed).containsExactlyInAnyOrderElementsOf(killed);
  }

  @Test
  void aFilterTakesThoseForWhichAllOfItHolds(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message one = Message.event("Placed").to("orders").key("a").json("{}").build();
    Message two = Message.event("Paid").to("orders").key("b").json("{}").build();
    Message three = Message.event("Paid").to("money").json("{}").build();
    scene.kill(one, "timeout after 15 s");
    tck.advance(Duration.ofMinutes(1));
    scene.kill(two, "100% wrong_topic (a.b)");
    tck.advance(Duration.ofMinutes(1));
    scene.kill(three, "100 wrongXtopic (aXb)");
    Instant secondDied = letters(tck).find(two.id()).orElseThrow().diedAt();

    assertThat(listed(tck, ALL.withDestination("orders"))).containsExactly(one.id(), two.id());
    assertThat(listed(tck, ALL.withType("Paid"))).containsExactly(two.id(), three.id());
    assertThat(listed(tck, ALL.withKey("b"))).containsExactly(two.id());
    assertThat(listed(tck, ALL.withType("Paid").withDestination("money")))
        .containsExactly(three.id());
    assertThat(listed(tck, ALL.withErrorContaining("wrong_topic"))).containsExactly(two.id());
    assertThat(listed(tck, ALL.withErrorContaining("100%"))).containsExactly(two.id());
    assertThat(listed(tck, ALL.withErrorContaining("(a.b)"))).containsExactly(two.id());
    assertThat(listed(tck, ALL.withDiedFrom(secondDied))).containsExactly(two.id(), three.id());
    assertThat(listed(tck, ALL.withDiedBefore(secondDied))).containsExactly(one.id());
    assertThat(listed(tck, ALL.withKey("none"))).isEmpty();
  }

  @Test
  void aLimitOutOfBoundsIsRefused(StoreUnderTest tck) throws Exception {
    DeadLetterStore letters = letters(tck);
    for (int limit : List.of(0, -1, DeadLetterStore.MAX_IDS + 1)) {
      assertThatThrownBy(() -> letters.list(ALL, Optional.empty(), limit))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("limit must be 1 to %d, got %d", DeadLetterStore.MAX_IDS, limit);
    }
  }

  @Test
  void moreIdsThanOneCallTakesAreRefusedAndNothingChanges(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message dead = Samples.ordered("k");
    scene.kill(dead, "dead");
    List<UUID> ids = new ArrayList<>(Collections.nCopies(DeadLetterStore.MAX_IDS, dead.id()));
    ids.add(UUID.randomUUID());

    assertThatThrownBy(() -> letters(tck).replay(ids, DECISION))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> letters(tck).discard(ids, DECISION))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(listed(tck, ALL)).containsExactly(dead.id());
  }

  @Test
  void aDiscardedOneIsGone(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message gone = Samples.ordered("a");
    Message stays = Samples.ordered("b");
    scene.kill(gone, "dead");
    scene.kill(stays, "dead");

    Set<UUID> discarded =
        letters(tck).discard(List.of(gone.id(), UUID.randomUUID(), gone.id()), DECISION);

    assertThat(discarded).containsExactly(gone.id());
    assertThat(listed(tck, ALL)).containsExactly(stays.id());
    assertThat(tck.store().find(gone.id())).isEmpty();
    assertThat(tck.store().backlog().dead()).isEqualTo(1);
    assertThat(scene.due()).isEmpty();
    assertThat(letters(tck).discard(List.of(gone.id()), DECISION)).as("again").isEmpty();
  }

  @Test
  void whatIsNotDeadIsNotDiscarded(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message pending = Samples.ordered("k");
    tck.append(pending);

    assertThat(letters(tck).discard(List.of(pending.id()), DECISION)).isEmpty();
    assertThat(letters(tck).replay(List.of(pending.id()), DECISION)).isEmpty();

    assertThat(scene.due()).extracting(Claim::message).containsExactly(pending);
    assertThat(letters(tck).audit(Optional.empty(), 10)).isEmpty();
  }

  @Test
  void nothingIsDoneToNobody(StoreUnderTest tck) throws Exception {
    assertThat(letters(tck).discard(List.of(), DECISION)).isEmpty();
    assertThat(letters(tck).replay(List.of(), DECISION)).isEmpty();
  }

  @Test
  void aDeadLetterThatDiesAgainIsListedWithItsNewError(StoreUnderTest tck) throws Exception {
    DeadLetterScene scene = new DeadLetterScene(tck);
    Message message = Samples.ordered("k");
    scene.kill(message, "first");
    letters(tck).replay(List.of(message.id()), DECISION);
    Claim again = scene.due().get(0);
    scene.settle(new Settlement.Dead(again, "second"));

    DeadLetter letter = letters(tck).find(message.id()).orElseThrow();

    assertThat(letter.error()).isEqualTo("second");
    assertThat(letter.attempts()).isEqualTo(1);
  }

  public static List<UUID> ids(List<DeadLetter> letters) {
    return letters.stream().map(DeadLetter::id).toList();
  }

  private static List<UUID> listed(StoreUnderTest tck, DeadLetterFilter filter) throws Exception {
    return ids(letters(tck).list(filter, Optional.empty(), 100));
  }

  private static DeadLetterStore letters(StoreUnderTest tck) throws Exception {
    return tck.store().deadLetters();
  }
}
