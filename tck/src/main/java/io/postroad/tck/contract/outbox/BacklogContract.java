package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import io.postroad.store.Backlog;
import io.postroad.tck.CompetingOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code backlog} counts messages and measures the lag. */
@StoreContract
@CompetingOnly
public final class BacklogContract {
  private static final Duration SLACK = Duration.ofMinutes(5);

  @Test
  void anEmptyStoreHasNoBacklog(StoreUnderTest tck) throws Exception {
    assertThat(tck.store().backlog()).isEqualTo(new Backlog(0, 0, Duration.ZERO));
  }

  @Test
  void whatIsNeitherDeliveredNorDeadIsPending(StoreUnderTest tck) throws Exception {
    Claim delivered = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Delivered(delivered));
    Claim dead = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Dead(dead, "dead"));
    Claim retried = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Retry(retried, Duration.ofHours(1), "later"));
    tck.appendAndClaim(Samples.message());
    tck.append(Samples.notBefore(tck.store().now().plus(Duration.ofHours(1))));
    tck.append(Samples.message());

    Backlog backlog = tck.store().backlog();

    assertThat(backlog.pending()).as("retried, claimed, scheduled, due").isEqualTo(4);
    assertThat(backlog.dead()).isEqualTo(1);
  }

  @Test
  void theLagIsThatOfTheLongestDue(StoreUnderTest tck) throws Exception {
    tck.append(Samples.message());
    tck.advance(Duration.ofHours(2));
    tck.append(Samples.message());
    tck.advance(Duration.ofHours(1));

    assertThat(tck.store().backlog().lag())
        .isBetween(Duration.ofHours(3), Duration.ofHours(3).plus(SLACK));
  }

  @Test
  void theLagIsZeroWhenNothingIsDue(StoreUnderTest tck) throws Exception {
    tck.append(Samples.notBefore(tck.store().now().plus(Duration.ofDays(1))));
    Claim retried = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Retry(retried, Duration.ofDays(1), "later"));
    Claim dead = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Dead(dead, "dead"));
    Claim delivered = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Delivered(delivered));
    tck.advance(Duration.ofHours(1));
    tck.appendAndClaim(Samples.message());

    assertThat(tck.store().backlog().lag()).isEqualTo(Duration.ZERO);
  }

  @Test
  void aScheduledMessageLagsFromItsDueTimeOn(StoreUnderTest tck) throws Exception {
    tck.append(Samples.notBefore(tck.store().now().plus(Duration.ofHours(2))));
    tck.advance(Duration.ofHours(3));

    assertThat(tck.store().backlog().lag())
        .isBetween(Duration.ofHours(1).minusSeconds(1), Duration.ofHours(1).plus(SLACK));
  }

  @Test
  void anExpiredLeaseLagsFromItsEndOn(StoreUnderTest tck) throws Exception {
    tck.appendAndClaim(Samples.message());
    tck.advance(StoreUnderTest.LEASE.plusHours(1));

    assertThat(tck.store().backlog().lag())
        .isBetween(Duration.ofHours(1), Duration.ofHours(1).plus(SLACK));
  }

  @Test
  void everyNodeSeesTheSameBacklog(StoreUnderTest tck) throws Exception {
    tck.append(Samples.messages(3));

    assertThat(tck.anotherNode().backlog().pending()).isEqualTo(3);
  }

  /** backlog: its cost MUST NOT grow with the number of messages stored. */
  @Test
  void countingStopsAtTheLimit(StoreUnderTest tck) throws Exception {
    for (int i = 0; i < 11; i++) {
      tck.append(Samples.messages(Backlog.COUNT_LIMIT / 10));
    }
    assertThat(tck.store().backlog().pending()).isEqualTo(Backlog.COUNT_LIMIT);
    for (int i = 0; i < 11; i++) {
      List<Claim> claims = tck.claim(Backlog.COUNT_LIMIT / 10);
      tck.competing()
          .settle(
              claims.stream().<Settlement>map(claim -> new Settlement.Dead(claim, "x")).toList());
    }

    Backlog backlog = tck.store().backlog();

    assertThat(backlog.pending()).isZero();
    assertThat(backlog.dead()).isEqualTo(Backlog.COUNT_LIMIT);
  }
}
