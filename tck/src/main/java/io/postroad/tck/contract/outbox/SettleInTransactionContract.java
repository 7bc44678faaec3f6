package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import io.postroad.tck.CompetingOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.scene.Samples;
import io.postroad.transaction.NoTransactionException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A settlement that belongs to a transaction of the caller. */
@StoreContract
@CompetingOnly
public final class SettleInTransactionContract {

  @Test
  void commitsWithTheTransaction(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    UserTransaction transaction = tck.begin();

    assertThat(tck.competing().settle(transaction.handle(), new Settlement.Delivered(claim)))
        .isTrue();
    var unused = transaction.append(Samples.message());
    transaction.commit();

    assertThat(tck.find(claim.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
    assertThat(tck.claimOne().id()).isNotEqualTo(claim.id());
  }

  @Test
  void leavesTheClaimWhenTheTransactionRollsBack(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    UserTransaction transaction = tck.begin();
    assertThat(tck.competing().settle(transaction.handle(), new Settlement.Delivered(claim)))
        .isTrue();
    transaction.rollback();

    assertThat(tck.find(claim.id()).status()).isEqualTo(MessageStatus.PROCESSING);
    tck.settle(new Settlement.Retry(claim, Duration.ZERO, "again"));
    assertThat(tck.claimOne().attempt()).isEqualTo(2);
  }

  @Test
  void everySettlementWorksThere(StoreUnderTest tck) throws Exception {
    Claim dead = tck.appendAndClaim(Samples.message());
    settle(tck, new Settlement.Dead(dead, "no use"));
    assertThat(tck.find(dead.id()).status()).isEqualTo(MessageStatus.FAILED);
    assertThat(tck.find(dead.id()).lastError()).contains("no use");

    Claim retried = tck.appendAndClaim(Samples.message());
    settle(tck, new Settlement.Retry(retried, Duration.ZERO, "again"));
    assertThat(tck.claimOne().attempt()).isEqualTo(2);
  }

  @Test
  void isRejectedWhenAnotherHasTheMessage(StoreUnderTest tck) throws Exception {
    Claim lost = tck.appendAndClaim(Samples.message());
    tck.advance(StoreUnderTest.LEASE.plusSeconds(1));
    Claim now = tck.claimOne();
    UserTransaction transaction = tck.begin();

    assertThat(tck.competing().settle(transaction.handle(), new Settlement.Delivered(lost)))
        .isFalse();
    transaction.rollback();

    assertThat(tck.find(now.id()).status()).isEqualTo(MessageStatus.PROCESSING);
    tck.settle(new Settlement.Delivered(now));
  }

  @Test
  void isRejectedTheSecondTime(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    settle(tck, new Settlement.Delivered(claim));
    UserTransaction transaction = tck.begin();

    assertThat(
            tck.competing()
                .settle(transaction.handle(), new Settlement.Retry(claim, Duration.ZERO, "late")))
        .isFalse();
    transaction.rollback();
    assertThat(tck.find(claim.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void nobodyTakesTheMessageUntilTheTransactionEnds(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    UserTransaction transaction = tck.begin();
    assertThat(tck.competing().settle(transaction.handle(), new Settlement.Delivered(claim)))
        .isTrue();
    tck.advance(StoreUnderTest.LEASE.plusSeconds(1));

    assertThat(tck.claim("node-2", 10)).as("its lease is over, and it is being settled").isEmpty();
    transaction.commit();
    assertThat(tck.claim("node-2", 10)).isEmpty();
    assertThat(tck.find(claim.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void aClaimThatIsExtendedInsideCanBeSettledInsideAndIsTakenByNobody(StoreUnderTest tck)
      throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    UserTransaction transaction = tck.begin();
    var unused = transaction.append(Samples.builder().to("elsewhere").build());
    assertThat(tck.competing().extend(transaction.handle(), claim, StoreUnderTest.LEASE)).isTrue();
    tck.advance(StoreUnderTest.LEASE.multipliedBy(3));

    assertThat(tck.claim("node-2", 10)).as("its lease is over, and it is in use").isEmpty();
    assertThat(tck.competing().settle(transaction.handle(), new Settlement.Delivered(claim)))
        .isTrue();
    transaction.commit();
    assertThat(tck.find(claim.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void aClaimThatWasLostIsNotExtendedInside(StoreUnderTest tck) throws Exception {
    Claim lost = tck.appendAndClaim(Samples.message());
    tck.advance(StoreUnderTest.LEASE.plusSeconds(1));
    Claim now = tck.claimOne();
    UserTransaction transaction = tck.begin();

    assertThat(tck.competing().extend(transaction.handle(), lost, StoreUnderTest.LEASE)).isFalse();
    transaction.rollback();
    tck.settle(new Settlement.Delivered(now));
  }

  @Test
  void refusesWhatIsNoTransaction(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    Object none = tck.notATransaction();

    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> tck.competing().settle(none, new Settlement.Delivered(claim)));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> tck.competing().extend(none, claim, StoreUnderTest.LEASE));
    assertThat(tck.competing().settle(List.of(new Settlement.Delivered(claim)))).isEmpty();
  }

  private static void settle(StoreUnderTest tck, Settlement settlement) throws Exception {
    UserTransaction transaction = tck.begin();
    assertThat(tck.competing().settle(transaction.handle(), settlement)).isTrue();
    transaction.commit();
  }
}
