package io.postroad.tck.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.RecordingSender;
import io.postroad.tck.contract.scene.Relays;
import io.postroad.tck.contract.scene.Samples;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A relay on this store handles sends that fail. */
@StoreContract
public final class RelayFailureContract {

  @Test
  void aRejectedMessageIsTriedAgainAfterGrowingWaits(StoreUnderTest tck) throws Exception {
    AtomicReference<SendOutcome> answer =
        new AtomicReference<>(SendOutcome.Rejected.forNow("broker says no"));
    Message message = Samples.message();
    OutboxRelay relay = Relays.relay(tck, RecordingSender.answering(ignored -> answer.get()));
    Relays.append(tck.store(), message);

    Instant first = tck.store().now();
    assertThat(relay.runOnce().retried()).isEqualTo(1);
    StoredMessage stored = tck.find(message.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored.attempts()).isEqualTo(1);
    assertThat(stored.lastError()).contains("broker says no");
    assertThat(stored.dueAt())
        .isBetween(first.plus(Relays.FIRST_WAIT), tck.store().now().plus(Relays.FIRST_WAIT));

    tck.advance(Relays.FIRST_WAIT);
    Instant second = tck.store().now();
    assertThat(relay.runOnce().retried()).isEqualTo(1);
    assertThat(tck.find(message.id()).dueAt())
        .isAfterOrEqualTo(second.plus(Relays.FIRST_WAIT.multipliedBy(2)));

    answer.set(RecordingSender.accepted());
    tck.advance(Relays.FIRST_WAIT.multipliedBy(2));
    assertThat(relay.runOnce().delivered()).isEqualTo(1);
    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void aMessageIsDeadAfterItsLastAttempt(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();
    RecordingSender sender =
        RecordingSender.answering(ignored -> SendOutcome.Rejected.forNow("still no"));
    OutboxRelay relay = Relays.relay(tck, sender);
    Relays.append(tck.store(), message);

    for (int attempt = 1; attempt < Relays.MAX_ATTEMPTS; attempt++) {
      assertThat(relay.runOnce().retried()).isEqualTo(1);
      tck.advance(Relays.FIRST_WAIT.multipliedBy(10));
    }
    assertThat(relay.runOnce().dead()).isEqualTo(1);

    StoredMessage stored = tck.find(message.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.FAILED);
    assertThat(stored.attempts()).isEqualTo(Relays.MAX_ATTEMPTS);
    assertThat(stored.lastError()).contains("still no");
    tck.advance(Relays.FIRST_WAIT.multipliedBy(100));
    assertThat(relay.runOnce().claimed()).isZero();
    assertThat(sender.sent()).hasSize(Relays.MAX_ATTEMPTS);
  }

  @Test
  void aMessageRejectedForGoodIsDeadAtOnce(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();
    OutboxRelay relay =
        Relays.relay(
            tck,
            RecordingSender.answering(ignored -> SendOutcome.Rejected.forGood("no such topic")));
    Relays.append(tck.store(), message);

    assertThat(relay.runOnce().dead()).isEqualTo(1);

    StoredMessage stored = tck.find(message.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.FAILED);
    assertThat(stored.attempts()).isEqualTo(1);
    assertThat(stored.lastError()).contains("no such topic");
  }

  @Test
  void anUnknownOutcomeUsesUpNoAttempt(StoreUnderTest tck) throws Exception {
    AtomicReference<SendOutcome> answer =
        new AtomicReference<>(new SendOutcome.Unknown("broker unreachable"));
    Message message = Samples.message();
    OutboxRelay relay = Relays.relay(tck, RecordingSender.answering(ignored -> answer.get()));
    Relays.append(tck.store(), message);

    for (int i = 0; i < Relays.MAX_ATTEMPTS + 1; i++) {
      assertThat(relay.runOnce().released()).isEqualTo(1);
      assertThat(tck.find(message.id()).attempts()).isZero();
      tck.advance(Relays.FIRST_WAIT.multipliedBy(2));
    }
    answer.set(RecordingSender.accepted());
    assertThat(relay.runOnce().delivered()).isEqualTo(1);

    assertThat(tck.find(message.id()).attempts()).isEqualTo(1);
  }

  @Test
  void aSenderThatThrowsOrFailsItsStageLeavesTheMessageForLater(StoreUnderTest tck)
      throws Exception {
    Message message = Samples.message();
    OutboxRelay throwing =
        Relays.relay(
            tck,
            RecordingSender.answering(
                ignored -> {
                  throw new IllegalStateException("thrown by the test's sender");
                }));
    OutboxRelay failing =
        Relays.relay(
            tck,
            RecordingSender.answeringLater(
                ignored -> CompletableFuture.failedFuture(new IllegalStateException("failed"))));
    Relays.append(tck.store(), message);

    assertThat(throwing.runOnce().released()).isEqualTo(1);
    tck.advance(Relays.FIRST_WAIT.multipliedBy(2));
    assertThat(failing.runOnce().released()).isEqualTo(1);

    StoredMessage stored = tck.find(message.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored.attempts()).isZero();
  }

  @Test
  void oneBadMessageHoldsBackNoOther(StoreUnderTest tck) throws Exception {
    Message bad = Message.event("Bad").to("orders").json("{}").build();
    List<Message> good = Samples.messages(20);
    OutboxRelay relay =
        Relays.relay(
            tck,
            RecordingSender.answering(
                message ->
                    message.type().equals("Bad")
                        ? SendOutcome.Rejected.forNow("bad")
                        : RecordingSender.accepted()));
    Relays.append(tck.store(), bad);
    Relays.append(tck.store(), good);

    RelayPass pass = relay.runOnce();

    assertThat(pass.delivered()).isEqualTo(20);
    assertThat(pass.retried()).isEqualTo(1);
  }
}
