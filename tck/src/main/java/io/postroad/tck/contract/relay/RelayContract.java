package io.postroad.tck.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayPass;
import io.postroad.spi.OutboxStore;
import io.postroad.store.AppendResult;
import io.postroad.store.MessageStatus;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.RecordingSender;
import io.postroad.tck.contract.scene.Relays;
import io.postroad.tck.contract.scene.Samples;
import io.postroad.transaction.NoTransactionException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** From append to delivery, with an outbox and a relay on this store. */
@StoreContract
public final class RelayContract {

  @Test
  void whatIsCommittedIsDeliveredWhole(StoreUnderTest tck) throws Exception {
    Message message = Samples.whole(tck.store().now());
    RecordingSender sender = RecordingSender.accepting();
    Relays.append(tck.store(), message);

    RelayPass pass = Relays.relay(tck, sender).runOnce();

    assertThat(pass.delivered()).isEqualTo(1);
    assertThat(sender.sent()).containsExactly(message);
    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void whatIsRolledBackIsNotDelivered(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> store = tck.store();
    Outbox<Object> outbox = Outbox.over(store);
    RecordingSender sender = RecordingSender.accepting();
    assertThatThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        transaction -> {
                          outbox.append(Samples.message());
                          throw new IOException("no");
                        }))
        .isInstanceOf(IOException.class);

    assertThat(Relays.drain(Relays.relay(tck, sender)).claimed()).isZero();
    assertThat(sender.sent()).isEmpty();
  }

  @Test
  void appendOutsideAUnitIsRefusedAndDeliversNothing(StoreUnderTest tck) throws Exception {
    Outbox<Object> outbox = Outbox.over(tck.store());
    RecordingSender sender = RecordingSender.accepting();

    assertThatThrownBy(() -> outbox.append(Samples.message()))
        .isInstanceOf(NoTransactionException.class);

    assertThat(Relays.drain(Relays.relay(tck, sender)).claimed()).isZero();
  }

  @Test
  void aDuplicateIsNotDelivered(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> store = tck.store();
    Outbox<Object> outbox = Outbox.over(store);
    Message first = Samples.withKey("k");
    RecordingSender sender = RecordingSender.accepting();

    List<AppendResult> results =
        store
            .transactions()
            .call(transaction -> outbox.appendAll(List.of(first, Samples.withKey("k"))));
    Relays.drain(Relays.relay(tck, sender));

    assertThat(results)
        .containsExactly(
            new AppendResult.Appended(first.id()), new AppendResult.Duplicate(first.id()));
    assertThat(sender.sentIds()).containsExactly(first.id());
  }

  @Test
  void aScheduledMessageIsDeliveredWhenItIsDue(StoreUnderTest tck) throws Exception {
    Message message = Samples.notBefore(tck.store().now().plus(Duration.ofHours(1)));
    RecordingSender sender = RecordingSender.accepting();
    OutboxRelay relay = Relays.relay(tck, sender);
    Relays.append(tck.store(), message);

    assertThat(Relays.drain(relay).claimed()).isZero();
    tck.advance(Duration.ofMinutes(61));
    assertThat(Relays.drain(relay).delivered()).isEqualTo(1);

    assertThat(sender.sentIds()).containsExactly(message.id());
  }

  @Test
  void aRelayDrainsABacklogInBatches(StoreUnderTest tck) throws Exception {
    List<Message> messages = Samples.messages(500);
    RecordingSender sender = RecordingSender.accepting();
    OutboxRelay relay =
        Relays.relay(tck, tck.store(), sender, Relays.options().withBatch(20).withMaxBatch(50));
    Relays.append(tck.store(), messages);

    RelayPass all = Relays.drain(relay);

    assertThat(all.delivered()).isEqualTo(500);
    assertThat(sender.sentIds()).containsExactlyInAnyOrderElementsOf(Samples.ids(messages));
    assertThat(tck.store().backlog().pending()).isZero();
  }

  @Test
  void twoRelaysDeliverEachMessageOnce(StoreUnderTest tck) throws Exception {
    List<Message> messages = Samples.messages(1_000);
    RecordingSender sender = RecordingSender.accepting();
    OutboxStore<Object> another = tck.anotherNode();
    Relays.append(tck.store(), messages);

    OutboxRelay one = Relays.relay(tck, tck.store(), sender, Relays.options().withMaxBatch(100));
    OutboxRelay two =
        Relays.relay(tck, another, sender, Relays.options().withName("relay-2").withMaxBatch(100));
    one.start();
    two.start();

    sender.awaitSent(1_000);
    Relays.eventually(() -> assertThat(tck.store().backlog().pending()).isZero());
    one.stop();
    two.stop();
    assertThat(sender.sentIds()).containsExactlyInAnyOrderElementsOf(Samples.ids(messages));
  }
}
