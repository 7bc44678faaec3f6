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
import io.postroad.tck.contract.scene.Ending;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A worker that lost a message cannot change it any more. */
@StoreContract
@CompetingOnly
public final class FencingContract {

  /** settle, MUST 1. */
  @ParameterizedTest
  @EnumSource
  void aSettleByALoserChangesNothingAndIsReported(Ending ending, StoreUnderTest tck)
      throws Exception {
    Claim lost = tck.appendAndClaim(Samples.message());
    tck.advance(StoreUnderTest.LEASE.plusSeconds(1));
    assertThat(tck.claim("node-2", 1)).hasSize(1);
    StoredMessage before = tck.find(lost.id());

    assertThat(tck.competing().settle(List.of(ending.of(lost)))).containsExactly(lost.id());

    assertThat(tck.find(lost.id())).isEqualTo(before);
  }

  /** settle, MUST 1: the winner is not disturbed by what the loser tried. */
  @ParameterizedTest
  @EnumSource
  void theWinnerSettlesAfterALoserTried(Ending ending, StoreUnderTest tck) throws Exception {
    Claim lost = tck.appendAndClaim(Samples.message());
    tck.advance(StoreUnderTest.LEASE.plusSeconds(1));
    Claim won = tck.claim("node-2", 1).get(0);
    tck.competing().settle(List.of(new Settlement.Dead(lost, "from the loser")));

    tck.settle(ending.of(won));

    assertThat(tck.find(won.id()).status()).isEqualTo(ending.status());
  }

  /** settle, MUST 1. */
  @ParameterizedTest
  @EnumSource
  void aSecondSettleUnderTheSameTokenIsRejected(Ending ending, StoreUnderTest tck)
      throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    tck.settle(ending.of(claim));
    StoredMessage before = tck.find(claim.id());

    for (Ending second : Ending.values()) {
      assertThat(tck.competing().settle(List.of(second.of(claim))))
          .as("%s after %s", second, ending)
          .containsExactly(claim.id());
    }

    assertThat(tck.find(claim.id())).isEqualTo(before);
  }

  /** settle, MUST 1: an old token does not come alive again when the message is free. */
  @Test
  void aSettleFromBeforeARetryIsRejectedAlsoAfterTheNextClaim(StoreUnderTest tck) throws Exception {
    Claim first = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Retry(first, Duration.ZERO, "again"));
    Claim second = tck.claimOne();

    assertThat(tck.competing().settle(List.of(new Settlement.Delivered(first))))
        .containsExactly(first.id());

    tck.settle(new Settlement.Delivered(second));
  }

  /** settle, MUST 1: the token decides, not the clock; no other worker has the message. */
  @Test
  void aSettleAfterTheLeaseCountsWhileNobodyElseClaimed(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    tck.advance(StoreUnderTest.LEASE.plusSeconds(1));

    tck.settle(new Settlement.Delivered(claim));

    assertThat(tck.find(claim.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
    assertThat(tck.claim(10)).isEmpty();
  }

  /** settle, MUST 2. */
  @Test
  void aMixedBatchAppliesTheGoodAndReportsTheBad(StoreUnderTest tck) throws Exception {
    Claim lost = tck.appendAndClaim(Samples.message());
    tck.advance(StoreUnderTest.LEASE.plusSeconds(1));
    tck.claim("node-2", 1);
    Claim settled = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Delivered(settled));
    Claim delivered = tck.appendAndClaim(Samples.message());
    Claim retried = tck.appendAndClaim(Samples.message());
    Claim dead = tck.appendAndClaim(Samples.message());

    assertThat(
            tck.competing()
                .settle(
                    List.of(
                        Ending.DELIVERED.of(delivered),
                        Ending.DELIVERED.of(lost),
                        Ending.RETRY.of(retried),
                        Ending.DEAD.of(settled),
                        Ending.DEAD.of(dead))))
        .containsExactlyInAnyOrder(lost.id(), settled.id());

    assertThat(tck.find(delivered.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
    assertThat(tck.find(retried.id()).status()).isEqualTo(MessageStatus.PENDING);
    assertThat(tck.find(dead.id()).status()).isEqualTo(MessageStatus.FAILED);
    assertThat(tck.find(lost.id()).status()).isEqualTo(MessageStatus.PROCESSING);
    assertThat(tck.find(settled.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  /** settle, MUST 2. */
  @Test
  void aSettleOfAMessageThatIsGoneIsReported(StoreUnderTest tck) throws Exception {
    Claim purged = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Delivered(purged));
    tck.advance(Duration.ofHours(2));
    tck.store().purge(Duration.ofHours(1), 10);
    Claim never = new Claim(Samples.message(), 1, 1, Instant.EPOCH, Optional.empty());

    assertThat(
            tck.competing()
                .settle(List.of(new Settlement.Delivered(purged), new Settlement.Delivered(never))))
        .containsExactlyInAnyOrder(purged.id(), never.id());
  }

  /** claim, MUST 3: through every way back to PENDING. */
  @Test
  void theTokenNeverGoesBack(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();
    Claim claim = tck.appendAndClaim(message);
    for (int round = 0; round < 3; round++) {
      tck.settle(new Settlement.Release(claim, Duration.ZERO, "not now"));
      Claim released = tck.claimOne();
      assertThat(released.token()).as("after a release").isGreaterThan(claim.token());

      tck.settle(new Settlement.Retry(released, Duration.ZERO, "again"));
      Claim retried = tck.claimOne();
      assertThat(retried.token()).as("after a retry").isGreaterThan(released.token());

      tck.advance(StoreUnderTest.LEASE.plusSeconds(1));
      claim = tck.claimOne();
      assertThat(claim.token()).as("after an expired lease").isGreaterThan(retried.token());
    }
  }
}
