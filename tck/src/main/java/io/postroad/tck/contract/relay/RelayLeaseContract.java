package io.postroad.tck.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import io.postroad.tck.CompetingOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.RecordingSender;
import io.postroad.tck.contract.scene.Relays;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A relay and the leases of messages that are claimed one by one. */
@StoreContract
@CompetingOnly
public final class RelayLeaseContract {
  /** It may be the message that kills its relay. */
  @Test
  void aMessageWhoseLeasesAllExpiredIsDeadWithoutBeingSent(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();
    RecordingSender sender = RecordingSender.accepting();
    Relays.append(tck.store(), message);
    for (int attempt = 1; attempt <= Relays.MAX_ATTEMPTS; attempt++) {
      assertThat(tck.claimOne().attempt()).isEqualTo(attempt);
      tck.advance(StoreUnderTest.LEASE.plusSeconds(1));
    }

    assertThat(Relays.relay(tck, sender).runOnce().dead()).isEqualTo(1);

    assertThat(sender.sent()).isEmpty();
    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.FAILED);
  }

  @Test
  void aRelayThatLosesItsLeaseWhileSendingChangesNothing(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();
    AtomicReference<List<Claim>> taken = new AtomicReference<>(List.of());
    RecordingSender slow =
        RecordingSender.answering(
            ignored -> {
              try {
                tck.advance(Relays.LEASE.plusSeconds(1));
                taken.set(tck.claim("node-2", 10));
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
              return RecordingSender.accepted();
            });
    Relays.append(tck.store(), message);

    RelayPass pass = Relays.relay(tck, slow).runOnce();

    assertThat(taken.get()).extracting(Claim::expiredOwner).containsOnly(Optional.of(Relays.NAME));
    assertThat(pass.fenced()).isEqualTo(1);
    assertThat(pass.delivered()).isZero();
    StoredMessage stored = tck.find(message.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.PROCESSING);
    assertThat(stored.owner()).contains("node-2");
  }

  @Test
  void whatHasNoOutcomeAtTheStopIsLeftToItsLease(StoreUnderTest tck) throws Exception {
    RecordingSender silent = RecordingSender.answeringLater(ignored -> new CompletableFuture<>());
    OutboxRelay relay =
        Relays.relay(tck, tck.store(), silent, Relays.options().withDrainFor(Duration.ZERO));
    Message message = Samples.message();
    relay.start();
    Relays.append(tck.store(), message);
    silent.awaitSent(1);

    relay.stop();

    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.PROCESSING);
    tck.advance(Relays.LEASE.plusSeconds(1));
    Claim next = tck.claimOne();
    assertThat(next.id()).isEqualTo(message.id());
    assertThat(next.expiredOwner()).isEqualTo(Optional.of(Relays.NAME));
  }

  @Test
  void aStartedRelayDeliversARetryWhenItIsDue(StoreUnderTest tck) throws Exception {
    RecordingSender sender = RecordingSender.accepting();
    Message message = Samples.message();
    tck.settle(new Settlement.Retry(tck.appendAndClaim(message), Duration.ofHours(1), "later"));
    OutboxRelay relay =
        Relays.relay(
            tck, tck.store(), sender, Relays.options().withSweepEvery(Duration.ofMillis(20)));
    relay.start();

    tck.advance(Duration.ofHours(2));

    sender.awaitSent(1);
  }

  @Test
  void aStartedRelayRemovesWhatIsPastItsRetention(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();
    tck.settle(new Settlement.Delivered(tck.appendAndClaim(message)));
    RelayOptions options = Relays.options().withRetention(Duration.ofDays(7));
    CountDownLatch purged = new CountDownLatch(1);
    tck.advance(Duration.ofDays(8));
    OutboxRelay relay =
        tck.closedAtEnd(
            Relays.builder(tck.store(), RecordingSender.accepting())
                .options(options)
                .observer(
                    signal -> {
                      if (signal instanceof OutboxSignal.Purged) {
                        purged.countDown();
                      }
                    })
                .build());
    relay.start();

    assertThat(purged.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(tck.store().find(message.id())).isEmpty();
  }
}
