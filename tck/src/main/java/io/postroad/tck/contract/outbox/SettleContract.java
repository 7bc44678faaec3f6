package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;

/** Each way to settle a claim, and what it leaves. */
@StoreContract
@CompetingOnly
public final class SettleContract {
  private static final Duration LONG = Duration.ofDays(365);

  @Test
  void deliveredIsDispatchedForGood(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());

    tck.settle(new Settlement.Delivered(claim));

    StoredMessage stored = tck.find(claim.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.DISPATCHED);
    assertThat(stored.attempts()).isEqualTo(1);
    assertThat(stored.message()).isEqualTo(claim.message());
    tck.advance(LONG);
    assertThat(tck.claim(10)).isEmpty();
    assertThat(tck.find(claim.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void retryIsPendingWithItsErrorAndDueAfterTheDelay(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    Instant before = tck.store().now();

    tck.settle(new Settlement.Retry(claim, Duration.ofMinutes(5), "connection refused"));

    Instant after = tck.store().now();
    StoredMessage stored = tck.find(claim.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored.attempts()).isEqualTo(1);
    assertThat(stored.lastError()).contains("connection refused");
    assertThat(stored.owner()).isEmpty();
    assertThat(stored.dueAt())
        .isBetween(before.plus(Duration.ofMinutes(5)), after.plus(Duration.ofMinutes(5)));
  }

  @Test
  void aRetryWithoutDelayIsClaimableAtOnce(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());

    tck.settle(new Settlement.Retry(claim, Duration.ZERO, "at once"));

    assertThat(tck.claimOne().attempt()).isEqualTo(2);
  }

  @Test
  void theLatestErrorIsKept(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Retry(claim, Duration.ZERO, "first"));
    Claim again = tck.claimOne();
    assertThat(tck.find(claim.id()).lastError()).contains("first");

    tck.settle(new Settlement.Retry(again, Duration.ZERO, "second"));

    assertThat(tck.find(claim.id()).lastError()).contains("second");
  }

  @Test
  void releaseIsPendingAndDoesNotCountTheAttempt(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    Instant before = tck.store().now();

    tck.settle(new Settlement.Release(claim, Duration.ofMinutes(5), "broker unreachable"));

    Instant after = tck.store().now();
    StoredMessage stored = tck.find(claim.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored.attempts()).isZero();
    assertThat(stored.owner()).isEmpty();
    assertThat(stored.dueAt())
        .isBetween(before.plus(Duration.ofMinutes(5)), after.plus(Duration.ofMinutes(5)));
    tck.advance(Duration.ofMinutes(6));
    assertThat(tck.claimOne().attempt()).isEqualTo(1);
  }

  @Test
  void theReasonOfAReleaseIsKeptAsTheLastError(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());

    tck.settle(new Settlement.Release(claim, Duration.ZERO, "broker unreachable"));

    assertThat(tck.find(claim.id()).lastError()).contains("broker unreachable");
  }

  @Test
  void aDeliveryLeavesTheErrorOfTheAttemptBefore(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Retry(claim, Duration.ZERO, "at first"));

    tck.settle(new Settlement.Delivered(tck.claimOne()));

    assertThat(tck.find(claim.id()).lastError()).contains("at first");
  }

  @Test
  void aReleaseLaterOnTakesBackOnlyItsOwnAttempt(StoreUnderTest tck) throws Exception {
    Claim first = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Retry(first, Duration.ZERO, "counts"));
    tck.settle(new Settlement.Release(tck.claimOne(), Duration.ZERO, "does not"));

    assertThat(tck.find(first.id()).attempts()).isEqualTo(1);
    assertThat(tck.claimOne().attempt()).isEqualTo(2);
  }

  @Test
  void deadIsFailedWithItsErrorForGood(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());

    tck.settle(new Settlement.Dead(claim, "unknown topic"));

    StoredMessage stored = tck.find(claim.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.FAILED);
    assertThat(stored.attempts()).isEqualTo(1);
    assertThat(stored.lastError()).contains("unknown topic");
    assertThat(stored.message()).isEqualTo(claim.message());
    tck.advance(LONG);
    assertThat(tck.claim(10)).isEmpty();
    assertThat(tck.find(claim.id()).status()).isEqualTo(MessageStatus.FAILED);
  }

  @Test
  void anErrorMayBeLongAndOfAnyScript(StoreUnderTest tck) throws Exception {
    String error = "日本 \uD83D\uDE80 'quoted' \"too\" \\ \n\tat line 2 ".repeat(50).strip();
    Claim claim = tck.appendAndClaim(Samples.message());

    tck.settle(new Settlement.Dead(claim, error));

    assertThat(tck.find(claim.id()).lastError()).contains(error);
  }

  @Test
  void aBatchSettlesEachInItsOwnWay(StoreUnderTest tck) throws Exception {
    tck.append(Samples.messages(400));
    List<Claim> claims = tck.claim(400);
    Ending[] endings = Ending.values();

    assertThat(
            tck.competing()
                .settle(
                    claims.stream()
                        .map(claim -> endings[claims.indexOf(claim) % endings.length].of(claim))
                        .toList()))
        .isEmpty();

    for (int i = 0; i < claims.size(); i++) {
      assertThat(tck.find(claims.get(i).id()).status())
          .isEqualTo(endings[i % endings.length].status());
    }
  }

  @Test
  void settleOfNothingRejectsNothing(StoreUnderTest tck) throws Exception {
    assertThat(tck.competing().settle(List.of())).isEmpty();
  }
}
