package io.postroad.tck.contract.inbox;

import static io.postroad.tck.contract.inbox.InboxScene.BILLING;
import static io.postroad.tck.contract.inbox.InboxScene.ORDERS;
import static io.postroad.tck.contract.inbox.InboxScene.named;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.admin.OutboxAdmin;
import io.postroad.inbox.PermanentFailure;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Relays;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** No broker, order per key: the relay of an outbox hands its messages to handlers. */
@StoreContract
@OrderedOnly
public final class LocalHandlingContract {

  @Test
  void messagesOfAKeyAreHandledInOrder(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    OutboxRelay relay = relay(tck, scene);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      tck.append(named("a" + i, "a"), named("b" + i, "b"));
      expected.add("billing a" + i);
    }

    Relays.drain(relay);

    assertThat(scene.effects).hasSize(60);
    assertThat(scene.effects.stream().filter(effect -> effect.startsWith("billing a")))
        .containsExactlyElementsOf(expected);
  }

  @Test
  void aKeyThatFailsWaitsAndTheOthersGoOn(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    OutboxRelay relay = relay(tck, scene);
    scene.fail("a1");
    tck.append(named("a1", "a"), named("a2", "a"), named("b1", "b"));

    Relays.drain(relay);
    assertThat(scene.effects).containsExactly("billing b1");
    scene.recover("a1");
    tck.advance(Relays.FIRST_WAIT.multipliedBy(2));
    Relays.drain(relay);

    assertThat(scene.effects).containsExactly("billing b1", "billing a1", "billing a2");
    assertThat(scene.calls.stream().filter("billing a2"::equals))
        .as("not tried before the one it waits for")
        .hasSize(1);
  }

  @Test
  void aDeadLetterKeepsHeadersAndErrorAndCanBeReplayed(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    OutboxRelay relay = relay(tck, scene);
    scene.fail("a1");
    scene.failWith((handler, message) -> new PermanentFailure("no such customer"));
    tck.append(named("a1", "a"), named("a2", "a"));
    Relays.drain(relay);

    List<DeadLetter> dead =
        tck.store().deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10);
    assertThat(dead).hasSize(1);
    assertThat(dead.get(0).error()).contains("PermanentFailure: no such customer");
    assertThat(dead.get(0).message().headers()).containsEntry("name", "a1");
    scene.recover("a1");
    OutboxAdmin.over(tck.store()).replay(dead.get(0).id(), new Decision("operator", "mended"));
    Relays.drain(relay);

    assertThat(scene.effects).containsExactly("billing a1", "billing a2");
  }

  @Test
  void ofTwoHandlersOnlyTheOneThatFailedRunsAgain(StoreUnderTest tck) throws Exception {
    InboxScene scene =
        InboxScene.of(
            tck,
            (noted, handlers) ->
                handlers
                    .onAny(ORDERS, "audit", (message, context) -> note(noted, "audit"))
                    .onAny(ORDERS, BILLING, noted.noting()));
    OutboxRelay relay = relay(tck, scene);
    scene.fail("a1");
    tck.append(named("a1", "a"));
    Relays.drain(relay);
    scene.recover("a1");
    tck.advance(Relays.FIRST_WAIT.multipliedBy(2));
    Relays.drain(relay);

    assertThat(scene.effects).containsExactly("audit", "billing a1");
  }

  private static void note(InboxScene scene, String effect) {
    scene.store().transactions().afterCommit(() -> scene.effects.add(effect));
  }

  @Test
  void aTypeWithoutHandlerIsADeadLetterThatSaysWhatThereIs(StoreUnderTest tck) throws Exception {
    InboxScene scene =
        InboxScene.of(
            tck, (noted, handlers) -> handlers.on(ORDERS, "OrderPaid", BILLING, noted.noting()));
    Message message = named("a1", "a");
    tck.append(message);

    Relays.drain(relay(tck, scene));

    assertThat(tck.find(message.id()).lastError().orElse(""))
        .contains("no handler wants type 'OrderPlaced' of 'orders'")
        .contains("billing (orders, OrderPaid)");
  }

  private static OutboxRelay relay(StoreUnderTest tck, InboxScene scene) throws Exception {
    RelayOptions options = Relays.options().withBreakAfter(0);
    return Relays.relay(tck, tck.store(), scene.inbox().localSender(), options);
  }
}
