package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import io.postroad.tck.CompetingOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a claim holds, and how {@code extend} prolongs it. */
@StoreContract
@CompetingOnly
public final class LeaseContract {
  private static final Duration LEASE = StoreUnderTest.LEASE;

  @Test
  void aMessageWhoseLeaseHoldsIsNotClaimable(StoreUnderTest tck) throws Exception {
    tck.appendAndClaim(Samples.message());
    tck.advance(LEASE.minusSeconds(30));

    assertThat(tck.claim("node-2", 10)).isEmpty();
  }

  /** claim, MUST 3: the claim after an expired lease is an attempt like any other. */
  @Test
  void anExpiredLeaseIsClaimableAndTheClaimNamesWhoLetItExpire(StoreUnderTest tck)
      throws Exception {
    Claim first = tck.appendAndClaim(Samples.message());
    tck.advance(LEASE.plusSeconds(1));

    List<Claim> second = tck.claim("node-2", 10);

    assertThat(second).hasSize(1);
    assertThat(second.get(0).message()).isEqualTo(first.message());
    assertThat(second.get(0).expiredOwner()).contains(StoreUnderTest.OWNER);
    assertThat(second.get(0).attempt()).isEqualTo(2);
    assertThat(second.get(0).token()).isGreaterThan(first.token());
    assertThat(tck.find(first.id()).owner()).contains("node-2");
  }

  @Test
  void anExpiredLeaseIsPendingAndStillNamesItsOwner(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    tck.advance(LEASE.plusSeconds(1));

    StoredMessage stored = tck.find(claim.id());

    assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored.owner()).contains(StoreUnderTest.OWNER);
    assertThat(stored.attempts()).isEqualTo(1);
  }

  @Test
  void nobodyLetALeaseExpireThatWasSettled(StoreUnderTest tck) throws Exception {
    Claim first = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Retry(first, Duration.ZERO, "again"));
    Claim second = tck.claimOne();
    assertThat(second.expiredOwner()).isEmpty();
    tck.settle(new Settlement.Release(second, LEASE, "not now"));
    tck.advance(LEASE.multipliedBy(3));

    assertThat(tck.claimOne().expiredOwner()).isEmpty();
  }

  @Test
  void anExtendedLeaseHoldsFromNowOn(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    tck.advance(Duration.ofSeconds(30));
    Instant before = tck.store().now();

    assertThat(tck.competing().extend(List.of(claim), Duration.ofMinutes(10)))
        .containsExactly(claim.id());

    Instant after = tck.store().now();
    StoredMessage stored = tck.find(claim.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.PROCESSING);
    assertThat(stored.attempts()).isEqualTo(1);
    assertThat(stored.owner()).contains(StoreUnderTest.OWNER);
    assertThat(stored.dueAt())
        .isBetween(before.plus(Duration.ofMinutes(10)), after.plus(Duration.ofMinutes(10)));
    tck.advance(Duration.ofMinutes(9));
    assertThat(tck.claim("node-2", 10)).isEmpty();
    tck.settle(new Settlement.Delivered(claim));
  }

  @Test
  void anExtendedLeaseExpiresToo(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    tck.competing().extend(List.of(claim), Duration.ofMinutes(10));
    tck.advance(Duration.ofMinutes(11));

    assertThat(tck.claim("node-2", 10)).extracting(Claim::id).containsExactly(claim.id());
  }

  /** The token decides, not the clock, as for settle: no other worker has the message. */
  @Test
  void anExpiredLeaseThatNobodyTookMayStillBeExtended(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    tck.advance(LEASE.plusSeconds(1));

    assertThat(tck.competing().extend(List.of(claim), LEASE)).containsExactly(claim.id());

    assertThat(tck.find(claim.id()).status()).isEqualTo(MessageStatus.PROCESSING);
    assertThat(tck.claim("node-2", 10)).isEmpty();
  }

  @Test
  void anExtensionByALoserChangesNothingAndSaysSo(StoreUnderTest tck) throws Exception {
    Claim lost = tck.appendAndClaim(Samples.message());
    tck.advance(LEASE.plusSeconds(1));
    tck.claim("node-2", 10);
    StoredMessage before = tck.find(lost.id());

    assertThat(tck.competing().extend(List.of(lost), Duration.ofHours(1))).isEmpty();

    assertThat(tck.find(lost.id())).isEqualTo(before);
  }

  @Test
  void aSettledClaimCannotBeExtended(StoreUnderTest tck) throws Exception {
    Claim retried = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Retry(retried, Duration.ofHours(1), "later"));
    Claim delivered = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Delivered(delivered));
    StoredMessage before = tck.find(retried.id());

    assertThat(tck.competing().extend(List.of(retried, delivered), Duration.ofHours(2))).isEmpty();

    assertThat(tck.find(retried.id())).isEqualTo(before);
    assertThat(tck.find(delivered.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void extendKeepsThoseThatHoldAndLeavesOutTheLost(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();
    Claim lost = tck.appendAndClaim(message);
    tck.advance(LEASE.plusSeconds(1));
    tck.claim("node-2", 10);
    Claim held = tck.appendAndClaim(Samples.message());

    assertThat(tck.competing().extend(List.of(lost, held), Duration.ofHours(1)))
        .containsExactly(held.id());

    tck.advance(Duration.ofMinutes(30));
    assertThat(tck.claim(10)).extracting(Claim::id).containsExactly(lost.id());
  }

  @Test
  void extendOfNothingHoldsNothing(StoreUnderTest tck) throws Exception {
    assertThat(tck.competing().extend(List.of(), LEASE)).isEmpty();
  }
}
