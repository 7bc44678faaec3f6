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
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** claim, MUST 5: nothing is claimed before it is due, by the database's clock. */
@StoreContract
@CompetingOnly
public final class SchedulingContract {

  @Test
  void aMessageIsHiddenUntilItsNotBefore(StoreUnderTest tck) throws Exception {
    Instant dueAt = tck.store().now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);
    Message message = Samples.notBefore(dueAt);
    tck.append(message);

    StoredMessage stored = tck.find(message.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored.dueAt()).isEqualTo(dueAt);
    assertThat(tck.claim(10)).isEmpty();
    tck.advance(Duration.ofMinutes(50));
    assertThat(tck.claim(10)).isEmpty();

    tck.advance(Duration.ofMinutes(11));
    assertThat(tck.claimOne().message()).isEqualTo(message);
  }

  @Test
  void aMessageWithANotBeforeInThePastIsDueAtOnce(StoreUnderTest tck) throws Exception {
    Message message = Samples.notBefore(Instant.parse("2001-01-01T00:00:00Z"));
    tck.append(message);

    assertThat(tck.claimOne().message()).isEqualTo(message);
  }

  @Test
  void aScheduledMessageHoldsBackNobody(StoreUnderTest tck) throws Exception {
    Message later = Samples.notBefore(tck.store().now().plus(Duration.ofHours(1)));
    Message now = Samples.message();
    tck.append(later);
    tck.append(now);

    assertThat(tck.claimOne().id()).isEqualTo(now.id());
  }

  @Test
  void aScheduledMessageTakesItsPlaceByItsDueTime(StoreUnderTest tck) throws Exception {
    Message scheduled = Samples.notBefore(tck.store().now().plus(Duration.ofMinutes(30)));
    tck.append(scheduled);
    Message before = Samples.message();
    tck.append(before);
    tck.advance(Duration.ofHours(1));
    Message after = Samples.message();
    tck.append(after);

    assertThat(tck.claim(3))
        .extracting(Claim::id)
        .containsExactly(before.id(), scheduled.id(), after.id());
  }

  @Test
  void aRetryIsHiddenUntilItsDelayHasPassed(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Retry(claim, Duration.ofMinutes(10), "try again"));

    assertThat(tck.claim(10)).isEmpty();
    tck.advance(Duration.ofMinutes(9));
    assertThat(tck.claim(10)).isEmpty();

    tck.advance(Duration.ofMinutes(2));
    assertThat(tck.claimOne().id()).isEqualTo(claim.id());
  }

  @Test
  void aReleasedMessageIsHiddenUntilItsDelayHasPassed(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Release(claim, Duration.ofMinutes(10), "not now"));

    assertThat(tck.claim(10)).isEmpty();

    tck.advance(Duration.ofMinutes(11));
    assertThat(tck.claimOne().id()).isEqualTo(claim.id());
  }
}
