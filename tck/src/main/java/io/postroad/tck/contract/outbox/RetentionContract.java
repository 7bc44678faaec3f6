package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import io.postroad.tck.CompetingOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** {@code purge} removes what was delivered long enough ago, and nothing else. */
@StoreContract
@CompetingOnly
public final class RetentionContract {
  private static final Duration RETENTION = Duration.ofDays(7);
  private static final Duration LONG = Duration.ofDays(3650);

  @Test
  void aMessageDeliveredLongAgoIsRemoved(StoreUnderTest tck) throws Exception {
    UUID delivered = deliver(tck);
    tck.advance(RETENTION.plusSeconds(1));

    assertThat(tck.store().purge(RETENTION, 100).messages()).isEqualTo(1);

    assertThat(tck.store().find(delivered)).isEmpty();
    assertThat(tck.store().purge(RETENTION, 100).messages()).isZero();
  }

  @Test
  void aMessageDeliveredLatelyIsKept(StoreUnderTest tck) throws Exception {
    UUID delivered = deliver(tck);
    tck.advance(RETENTION.minusHours(1));

    assertThat(tck.store().purge(RETENTION, 100).messages()).isZero();

    assertThat(tck.find(delivered).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void theAgeCountsFromTheDeliveryNotFromTheAppend(StoreUnderTest tck) throws Exception {
    tck.append(Samples.message());
    tck.advance(RETENTION.multipliedBy(2));
    Claim claim = tck.claimOne();
    tck.settle(new Settlement.Delivered(claim));

    assertThat(tck.store().purge(RETENTION, 100).messages()).isZero();

    tck.advance(RETENTION.plusSeconds(1));
    assertThat(tck.store().purge(RETENTION, 100).messages()).isEqualTo(1);
  }

  @Test
  void aRetentionOfZeroRemovesWhateverIsDelivered(StoreUnderTest tck) throws Exception {
    deliver(tck);
    tck.advance(Duration.ofSeconds(1));

    assertThat(tck.store().purge(Duration.ZERO, 100).messages()).isEqualTo(1);
  }

  @Test
  void onePurgeRemovesNoMoreThanItsLimit(StoreUnderTest tck) throws Exception {
    tck.append(Samples.messages(10));
    tck.competing()
        .settle(tck.claim(10).stream().<Settlement>map(Settlement.Delivered::new).toList());
    tck.advance(RETENTION.plusSeconds(1));

    assertThat(List.of(purge(tck, 4), purge(tck, 4), purge(tck, 4), purge(tck, 4)))
        .containsExactly(4L, 4L, 2L, 0L);
  }

  /** purge: MUST NOT remove a message that was not delivered. */
  @Test
  void whatWasNotDeliveredIsNeverRemoved(StoreUnderTest tck) throws Exception {
    Claim dead = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Dead(dead, "dead"));
    Claim retried = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Retry(retried, LONG.multipliedBy(2), "much later"));
    Claim expired = tck.appendAndClaim(Samples.message());
    Message scheduled = Samples.notBefore(tck.store().now().plus(LONG.multipliedBy(2)));
    Message pending = Samples.message();
    tck.append(scheduled, pending);
    tck.advance(LONG);

    assertThat(tck.store().purge(RETENTION, 100).messages()).isZero();
    assertThat(tck.store().purge(Duration.ZERO, 100).messages()).isZero();

    for (UUID id : List.of(dead.id(), retried.id(), expired.id(), scheduled.id(), pending.id())) {
      assertThat(tck.store().find(id)).isPresent();
    }
  }

  /** purge: MUST NOT remove a message that was not delivered. */
  @Test
  void aMessageThatIsBeingDeliveredIsNeverRemoved(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();
    tck.append(message);
    tck.advance(LONG);
    Claim claim = tck.claimOne();

    assertThat(tck.store().purge(RETENTION, 100).messages()).isZero();

    tck.settle(new Settlement.Delivered(claim));
  }

  @Test
  void deduplicationKeysAreNotCountedAsMessages(StoreUnderTest tck) throws Exception {
    tck.append(Samples.withKey("a"), Samples.withKey("b"));
    tck.advance(StoreUnderTest.DEDUPLICATE_FOR.plusSeconds(1));

    assertThat(tck.store().purge(RETENTION, 100).messages()).isZero();
  }

  private static UUID deliver(StoreUnderTest tck) throws Exception {
    Claim claim = tck.appendAndClaim(Samples.message());
    tck.settle(new Settlement.Delivered(claim));
    return claim.id();
  }

  private static long purge(StoreUnderTest tck, int limit) throws Exception {
    return tck.store().purge(RETENTION, limit).messages();
  }
}
