package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import io.postroad.tck.CompetingOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** {@code claim} takes due messages in order, and describes each claim. */
@StoreContract
@CompetingOnly
public final class ClaimContract {

  @Test
  void claimOfNothingIsEmpty(StoreUnderTest tck) throws Exception {
    assertThat(tck.claim(10)).isEmpty();
  }

  @Test
  void aClaimedMessageIsProcessingUntilItsLeaseEnds(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();
    tck.append(message);
    Instant before = tck.store().now();
    Claim claim = tck.claimOne();
    Instant after = tck.store().now();

    StoredMessage stored = tck.find(message.id());

    assertThat(stored.status()).isEqualTo(MessageStatus.PROCESSING);
    assertThat(stored.owner()).contains(StoreUnderTest.OWNER);
    assertThat(stored.attempts()).isEqualTo(1);
    assertThat(stored.dueAt())
        .isBetween(before.plus(StoreUnderTest.LEASE), after.plus(StoreUnderTest.LEASE));
    assertThat(claim.appendedAt()).isEqualTo(stored.appendedAt());
    assertThat(claim.expiredOwner()).isEmpty();
  }

  /** claim, MUST 1. */
  @Test
  void aClaimedMessageIsNotClaimedAgain(StoreUnderTest tck) throws Exception {
    CompetingStore<Object> another = StoreUnderTest.competing(tck.anotherNode());
    tck.append(Samples.messages(3));
    tck.claim(3);

    assertThat(tck.claim(10)).as("the same owner").isEmpty();
    assertThat(tck.claim("node-2", 10)).as("another owner").isEmpty();
    assertThat(another.claim(new ClaimRequest("node-3", 10, StoreUnderTest.LEASE)))
        .as("another node")
        .isEmpty();
  }

  @Test
  void claimTakesNoMoreThanItsLimit(StoreUnderTest tck) throws Exception {
    tck.append(Samples.messages(5));

    assertThat(tck.claim(2)).hasSize(2);
    assertThat(tck.claim(2)).hasSize(2);
    assertThat(tck.claim(2)).hasSize(1);
    assertThat(tck.claim(2)).isEmpty();
  }

  /** claim, MUST 2. */
  @Test
  void claimTakesTheLongestDueFirst(StoreUnderTest tck) throws Exception {
    List<Message> messages = Samples.messages(5);
    for (Message message : messages) {
      tck.append(message);
      tck.advance(Duration.ofSeconds(1));
    }

    assertThat(tck.claim(2))
        .extracting(Claim::id)
        .containsExactly(messages.get(0).id(), messages.get(1).id());
    assertThat(tck.claim(10))
        .extracting(Claim::id)
        .containsExactly(messages.get(2).id(), messages.get(3).id(), messages.get(4).id());
  }

  /** claim, MUST 2: a retry is due from its new time on, whatever its age. */
  @Test
  void claimGoesByDueTimeNotByAge(StoreUnderTest tck) throws Exception {
    Claim old = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Retry(old, Duration.ofMinutes(10), "later"));
    tck.advance(Duration.ofMinutes(5));
    Message young = Samples.message();
    tck.append(young);
    tck.advance(Duration.ofMinutes(10));

    assertThat(tck.claim(2)).extracting(Claim::id).containsExactly(young.id(), old.id());
  }

  /** claim, MUST 2: expired leases stand in the same line, by the time they expired. */
  @Test
  void expiredLeasesTakeTheirPlaceAmongTheDue(StoreUnderTest tck) throws Exception {
    Claim expired = tck.appendAndClaim(Samples.message());
    tck.advance(StoreUnderTest.LEASE.minusSeconds(30));
    Message before = Samples.message();
    tck.append(before);
    tck.advance(Duration.ofMinutes(5));
    Message after = Samples.message();
    tck.append(after);

    assertThat(tck.claim(3))
        .extracting(Claim::id)
        .containsExactly(before.id(), expired.id(), after.id());
  }

  /** claim, MUST 3. */
  @Test
  void eachClaimCountsAsAnAttemptAndRaisesTheToken(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    assertThat(claim.attempt()).isEqualTo(1);
    for (int attempt = 2; attempt <= 5; attempt++) {
      tck.settle(new Settlement.Retry(claim, Duration.ZERO, "again"));

      Claim next = tck.claimOne();

      assertThat(next.attempt()).isEqualTo(attempt);
      assertThat(next.token()).isGreaterThan(claim.token());
      assertThat(tck.find(claim.id()).attempts()).isEqualTo(attempt);
      claim = next;
    }
  }

  @Test
  void claimsOfDifferentNodesHoldDifferentMessages(StoreUnderTest tck) throws Exception {
    CompetingStore<Object> another = StoreUnderTest.competing(tck.anotherNode());
    tck.append(Samples.messages(4));

    List<Claim> here = tck.claim(2);
    List<Claim> there = another.claim(new ClaimRequest("node-2", 10, StoreUnderTest.LEASE));

    assertThat(here).hasSize(2);
    assertThat(there).hasSize(2);
    assertThat(there).extracting(Claim::id).doesNotContainAnyElementsOf(ids(here));
    assertThat(tck.find(there.get(0).id()).owner()).contains("node-2");
  }

  /** claim, MUST 4. */
  @Test
  void claimDoesNotWaitForARowThatAnotherClaimerIsTaking(StoreUnderTest tck) throws Exception {
    Message held = Samples.message();
    Message free = Samples.message();
    tck.append(held);
    tck.advance(Duration.ofSeconds(1));
    tck.append(free);

    try (AutoCloseable hold = tck.holdRow(held.id())) {
      assertThat(StoreUnderTest.get(tck.async(() -> tck.claim(10))))
          .extracting(Claim::id)
          .containsExactly(free.id());
    }

    assertThat(tck.claimOne().id()).isEqualTo(held.id());
  }

  @Test
  void claimDoesNotWaitForAnOpenAppend(StoreUnderTest tck) throws Exception {
    Message committed = Samples.message();
    tck.append(committed);
    UserTransaction open = tck.begin();
    open.append(Samples.withKey("open"));

    List<Claim> claims = StoreUnderTest.get(tck.async(() -> tck.claim(10)));

    assertThat(claims).extracting(Claim::id).containsExactly(committed.id());
    open.commit();
  }

  private static List<UUID> ids(List<Claim> claims) {
    return claims.stream().map(Claim::id).toList();
  }
}
