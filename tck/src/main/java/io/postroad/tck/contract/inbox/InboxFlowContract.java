package io.postroad.tck.contract.inbox;

import static io.postroad.tck.contract.inbox.InboxScene.BILLING;
import static io.postroad.tck.contract.inbox.InboxScene.ORDERS;
import static io.postroad.tck.contract.inbox.InboxScene.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.postroad.admin.OutboxAdmin;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxOptions;
import io.postroad.inbox.InboxSignal;
import io.postroad.inbox.Incoming;
import io.postroad.inbox.PermanentFailure;
import io.postroad.inbox.RetryableFailure;
import io.postroad.message.Message;
import io.postroad.message.Payload;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Relays;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** RECEIVE, DEDUPLICATE, HANDLE, and the retry line of those that fail. */
@StoreContract
@OrderedOnly
public final class InboxFlowContract {
  private static final Decision DECISION = new Decision("operator", "contract");

  @Test
  void aMessageThatComesAgainHasItsEffectOnce(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    Message message = named("one", "a");

    scene.receive(message, message);

    assertThat(scene.effects).containsExactly("billing one");
    assertThat(scene.calls).containsExactly("billing one");
    assertThat(scene.signals)
        .extracting(signal -> (Object) signal.getClass())
        .containsExactly(InboxSignal.Handled.class, InboxSignal.Repeated.class);
  }

  @Test
  void manyAtOnceOfOneMessageHaveOneEffect(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    Message message = named("one", "a");

    var unused = tck.together(6, () -> scene.inbox().receive(Incoming.of(message), () -> true));

    assertThat(scene.effects).containsExactly("billing one");
  }

  @Test
  void twoHandlersOfOneMessageHaveItOnceEach(StoreUnderTest tck) throws Exception {
    InboxScene scene = twoHandlers(tck);
    Message message = named("one", "a");
    scene.receive(message, message);

    assertThat(scene.effects).containsExactlyInAnyOrder("audit one", "billing one");
  }

  @Test
  void aHandlerThatFailsDoesNotRunTheOtherAgain(StoreUnderTest tck) throws Exception {
    InboxScene scene =
        InboxScene.of(
            tck,
            (noted, handlers) ->
                handlers
                    .onAny(ORDERS, "audit", noted.noting())
                    .onAny(
                        ORDERS,
                        BILLING,
                        (message, context) -> {
                          throw new IllegalStateException("no bills today");
                        }));
    scene.receive(named("one", "a"));
    scene.retry();

    assertThat(scene.calls).containsExactly("audit one");
    assertThat(scene.effects).containsExactly("audit one");
  }

  @Test
  void handlersOfOneMessageDoNotWaitForEachOther(StoreUnderTest tck) throws Exception {
    InboxScene scene = twoHandlers(tck);
    scene.failFor("audit", "a1");
    scene.receive(named("a1", "a"));

    assertThat(scene.effects).containsExactly("billing a1");
    scene.recover("a1");
    scene.retryLater();
    assertThat(scene.effects).containsExactly("billing a1", "audit a1");
  }

  @Test
  void aLaterMessageOfTheKeyWaitsWhicheverHandlerItIsFor(StoreUnderTest tck) throws Exception {
    InboxScene scene = placedAndCancelled(tck, handlers -> handlers);
    scene.fail("placed");
    Message cancelled = cancelled("cancelled", "a");

    scene.receive(named("placed", "a"), cancelled, cancelled("other", "b"));
    scene.retry();
    assertThat(scene.effects).as("another key goes on").containsExactly("cancelling other");
    scene.receive(cancelled);
    scene.recover("placed");
    scene.retryLater();
    scene.receive(cancelled("again", "a"));

    assertThat(scene.effects)
        .containsExactly(
            "cancelling other", "billing placed", "cancelling cancelled", "cancelling again");
  }

  @Test
  void aDeadLetterHoldsItsKeyForAllHandlersOfItsSource(StoreUnderTest tck) throws Exception {
    InboxScene scene = placedAndCancelled(tck, handlers -> handlers);
    scene.fail("placed");
    scene.failWith((handler, message) -> new PermanentFailure("never"));
    scene.receive(named("placed", "a"), cancelled("cancelled", "a"));
    scene.retry();
    assertThat(scene.effects).isEmpty();

    OutboxAdmin.over(tck.store()).skip(onlyDeadLetter(tck).id(), DECISION);
    scene.retryLater();

    assertThat(scene.effects).containsExactly("cancelling cancelled");
  }

  @Test
  void aHandlerWithAnOrderOfItsOwnWaitsForNoOtherHandler(StoreUnderTest tck) throws Exception {
    InboxScene scene = placedAndCancelled(tck, handlers -> handlers.ownOrder("cancelling"));
    scene.fail("placed", "cancelled");

    scene.receive(named("placed", "a"), cancelled("early", "a"));
    assertThat(scene.effects).containsExactly("cancelling early");
    scene.receive(cancelled("cancelled", "a"), cancelled("late", "a"));
    scene.retry();
    assertThat(scene.effects).as("waits for its own").containsExactly("cancelling early");
    scene.recover("cancelled");
    scene.retryLater();

    assertThat(scene.effects)
        .containsExactly("cancelling early", "cancelling cancelled", "cancelling late");
  }

  @Test
  void oneThatFailsIsTriedAgainAndTheRestOfItsKeyWaits(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    scene.fail("a1");

    scene.receive(named("a1", "a"), named("b1", "b"), named("a2", "a"), named("a3", "a"));
    scene.retry();

    assertThat(scene.effects).as("another key goes on").containsExactly("billing b1");
    scene.recover("a1");
    scene.retryLater();
    assertThat(scene.effects)
        .containsExactly("billing b1", "billing a1", "billing a2", "billing a3");
    scene.receive(named("a4", "a"));
    assertThat(scene.effects).as("its key is free again").endsWith("billing a4");
    assertThat(scene.calls.stream().filter("billing a2"::equals)).hasSize(1);
  }

  @Test
  void oneThatComesAgainWhileItWaitsIsNotInTheLineTwice(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    scene.fail("a1");
    Message first = named("a1", "a");
    Message second = named("a2", "a");

    scene.receive(first, second, first, second);
    scene.recover("a1");
    scene.retryLater();

    assertThat(scene.effects).containsExactly("billing a1", "billing a2");
  }

  @Test
  void messagesWithoutAKeyWaitForNobody(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    scene.fail("one");

    scene.receive(InboxScene.builder("one").build(), InboxScene.builder("two").build());
    assertThat(scene.effects).containsExactly("billing two");
    scene.recover("one");
    scene.retryLater();
    assertThat(scene.effects).containsExactly("billing two", "billing one");
  }

  @Test
  void afterTheLastAttemptItIsADeadLetterWithHeadersAndError(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    scene.fail("a1");
    scene.receive(named("a1", "a"), named("a2", "a"));
    for (int i = 0; i < Relays.MAX_ATTEMPTS; i++) {
      scene.retryLater();
    }

    DeadLetter dead = onlyDeadLetter(tck);
    assertThat(dead.message().destination()).isEqualTo(ORDERS);
    assertThat(dead.message().headers()).containsEntry("postroad-retry-handler", BILLING);
    assertThat(dead.message().headers()).containsEntry("name", "a1");
    assertThat(dead.message().headers()).containsEntry("postroad-retry-from", ORDERS);
    assertThat(dead.error()).contains("IllegalStateException: cannot handle a1 now");
    assertThat(dead.blocksKey()).isTrue();
    scene.retryLater();
    assertThat(scene.effects).as("the rest of its key waits").isEmpty();
  }

  @Test
  void aReplayedDeadLetterIsHandledAndItsKeyGoesOnInOrder(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    scene.fail("a1");
    scene.failWith((handler, message) -> new PermanentFailure("never"));
    scene.receive(named("a1", "a"), named("a2", "a"));
    scene.retry();
    DeadLetter dead = onlyDeadLetter(tck);
    scene.recover("a1");
    scene.receive(named("a3", "a"));

    OutboxAdmin.over(tck.store()).replay(dead.id(), DECISION);
    scene.retryLater();

    assertThat(scene.effects).containsExactly("billing a1", "billing a2", "billing a3");
  }

  @Test
  void aPermanentFailureIsDeadAtOnce(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    scene.fail("a1");
    scene.failWith(
        (handler, message) ->
            new IllegalStateException("outer", new PermanentFailure("no such customer")));

    scene.receive(named("a1", "a"));
    scene.retry();

    assertThat(onlyDeadLetter(tck).attempts()).isEqualTo(1);
  }

  @Test
  void aRetryableFailureIsTriedAgainWhateverCausedIt(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    scene.fail("a1");
    scene.failWith(
        (handler, message) -> new RetryableFailure("soon", new PermanentFailure("not really")));

    scene.receive(named("a1", "a"));
    scene.retry();
    assertThat(deadLetters(tck)).isEmpty();
    scene.recover("a1");
    scene.retryLater();
    assertThat(scene.effects).containsExactly("billing a1");
  }

  @Test
  void aDiscardedDeadLetterFreesItsKey(StoreUnderTest tck) throws Exception {
    InboxScene scene = deadFirst(tck);

    OutboxAdmin.over(tck.store()).discard(onlyDeadLetter(tck).id(), DECISION);
    scene.retryLater();
    assertThat(scene.effects).containsExactly("billing a2");
    scene.retryLater();
    scene.receive(named("a3", "a"));

    assertThat(scene.effects).as("handled at once").containsExactly("billing a2", "billing a3");
  }

  @Test
  void aSkippedDeadLetterFreesItsKeyAndCanBeReplayedLater(StoreUnderTest tck) throws Exception {
    InboxScene scene = deadFirst(tck);
    DeadLetter dead = onlyDeadLetter(tck);

    OutboxAdmin.over(tck.store()).skip(dead.id(), DECISION);
    scene.retryLater();
    scene.retryLater();
    scene.receive(named("a3", "a"));
    assertThat(scene.effects).containsExactly("billing a2", "billing a3");

    scene.recover("a1");
    OutboxAdmin.over(tck.store()).replay(dead.id(), DECISION);
    scene.retryLater();
    assertThat(scene.effects).containsExactly("billing a2", "billing a3", "billing a1");
  }

  @Test
  void anEditedDeadLetterKeepsItsPlace(StoreUnderTest tck) throws Exception {
    InboxScene scene = deadFirst(tck);
    DeadLetter dead = onlyDeadLetter(tck);

    var unused =
        OutboxAdmin.over(tck.store())
            .edit(dead.id(), message -> message.header("name", "mended"), DECISION);
    scene.receive(named("a3", "a"));
    scene.retryLater();

    assertThat(scene.effects).containsExactly("billing mended", "billing a2", "billing a3");
  }

  @Test
  void oneThatNoHandlerCanHaveIsDeadWithItsBody(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    byte[] body = {'{', (byte) 0xff, (byte) 0xfe};
    Message message =
        InboxScene.builder("odd").key("a").payload(Payload.bytes(body, "text/odd")).build();

    scene.receive(new Incoming("id-1", message, Optional.of("1000 headers, 64 are the most")));
    scene.retry();

    DeadLetter dead = onlyDeadLetter(tck);
    assertThat(dead.error()).contains("1000 headers");
    assertThat(dead.message().payload().bytes()).isEqualTo(body);
    assertThat(scene.calls).isEmpty();
  }

  @Test
  void whatNobodyWantsIsIgnoredOrDead(StoreUnderTest tck) throws Exception {
    InboxScene scene = onlyOrderPaid(tck, InboxScene.options());
    scene.receive(named("one", "a"));
    assertThat(scene.signals)
        .extracting(signal -> (Object) signal.getClass())
        .containsExactly(InboxSignal.Ignored.class);
    assertThat(deadLetters(tck)).isEmpty();

    InboxScene strict =
        onlyOrderPaid(tck, InboxScene.options().withUnhandled(InboxOptions.Unhandled.DEAD_LETTER));
    strict.receive(named("two", "a"));
    strict.retry();
    assertThat(onlyDeadLetter(tck).error())
        .contains("no handler wants type 'OrderPlaced' of 'orders'")
        .contains("billing (orders, OrderPaid)");
  }

  @Test
  void aHandlerWithoutTransactionHasNone(StoreUnderTest tck) throws Exception {
    InboxScene scene =
        InboxScene.of(
            tck,
            (noted, handlers) ->
                handlers.withoutTransaction(
                    ORDERS,
                    "OrderPlaced",
                    BILLING,
                    (message, context) -> {
                      assertThatIllegalStateException().isThrownBy(context::transaction);
                      noted.noting().handle(message, context);
                    }));
    scene.fail("a1");
    Message second = named("a2", "a");

    scene.receive(named("a1", "a"), second);
    assertThat(scene.effects).isEmpty();
    scene.recover("a1");
    scene.retryLater();
    scene.receive(second);

    assertThat(scene.effects).containsExactly("billing a1", "billing a2");
  }

  @Test
  void aHandlerThatDoesNotReturnIsInterrupted(StoreUnderTest tck) throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    InboxScene scene =
        InboxScene.of(
            tck,
            (noted, handlers) ->
                handlers.onAny(
                    ORDERS,
                    BILLING,
                    (message, context) -> {
                      noted.calls.add("began");
                      never.await();
                    }),
            InboxScene.options()
                .withTimes(
                    Duration.ofMillis(50),
                    Duration.ofSeconds(1),
                    Relays.options().withMaxAttempts(1).withBreakAfter(0)));

    scene.receive(named("one", "a"));
    scene.retry();

    assertThat(onlyDeadLetter(tck).error()).contains("InterruptedException");
  }

  @Test
  void anInboxWithoutRetryStoreRefusesABroker(StoreUnderTest tck) throws Exception {
    Inbox<Object> local =
        tck.closedAtEnd(
            Inbox.builder(tck.inbox(), Handlers.builder().onAny("a", "b", (m, c) -> {}).build())
                .build());

    assertThatIllegalStateException()
        .isThrownBy(local::requireRetries)
        .withMessageContaining("retries(");
  }

  @Test
  void startedItWorksOffTheLineByItself(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    scene.fail("a1");
    scene.receive(named("a1", "a"), named("a2", "a"));
    scene.recover("a1");

    scene.inbox().start();
    scene.inbox().start();

    Relays.eventually(
        tck, () -> assertThat(scene.effects).containsExactly("billing a1", "billing a2"));
    scene.inbox().stop();
    scene.inbox().stop();
  }

  @Test
  void aMessageWaitsForAnotherTransactionThatHasIt(StoreUnderTest tck) throws Exception {
    CountDownLatch inHandler = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    InboxScene scene =
        InboxScene.of(
            tck,
            (noted, handlers) ->
                handlers.onAny(
                    ORDERS,
                    BILLING,
                    (message, context) -> {
                      noted.noting().handle(message, context);
                      inHandler.countDown();
                      goOn.await();
                    }));
    Incoming incoming = Incoming.of(named("one", "a"));
    Future<Boolean> first = tck.async(() -> scene.inbox().receive(incoming, () -> true));
    inHandler.await();
    Future<Boolean> second = tck.async(() -> scene.inbox().receive(incoming, () -> true));
    goOn.countDown();

    assertThat(StoreUnderTest.get(first)).isTrue();
    assertThat(StoreUnderTest.get(second)).isTrue();
    assertThat(scene.effects).containsExactly("billing one");
  }

  private static InboxScene deadFirst(StoreUnderTest tck) throws Exception {
    InboxScene scene = InboxScene.billing(tck);
    scene.fail("a1");
    scene.failWith((handler, message) -> new PermanentFailure("never"));
    scene.receive(named("a1", "a"), named("a2", "a"));
    scene.retry();
    return scene;
  }

  private static InboxScene twoHandlers(StoreUnderTest tck) throws Exception {
    return InboxScene.of(
        tck,
        (noted, handlers) ->
            handlers
                .onAny(ORDERS, "audit", noted.noting())
                .on(ORDERS, "OrderPlaced", BILLING, noted.noting()));
  }

  private static InboxScene placedAndCancelled(
      StoreUnderTest tck, UnaryOperator<Handlers.Builder<Object>> more) throws Exception {
    return InboxScene.of(
        tck,
        (noted, handlers) ->
            more.apply(
                handlers
                    .on(ORDERS, "OrderPlaced", BILLING, noted.noting())
                    .on(ORDERS, "OrderCancelled", "cancelling", noted.noting())));
  }

  private static Message cancelled(String name, String key) {
    return Message.event("OrderCancelled")
        .to(ORDERS)
        .key(key)
        .header("name", name)
        .json("{}")
        .build();
  }

  private static InboxScene onlyOrderPaid(StoreUnderTest tck, InboxOptions options)
      throws Exception {
    return InboxScene.of(
        tck,
        (noted, handlers) -> handlers.on(ORDERS, "OrderPaid", BILLING, noted.noting()),
        options);
  }

  private static List<DeadLetter> deadLetters(StoreUnderTest tck) throws Exception {
    return tck.store().deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10);
  }

  private static DeadLetter onlyDeadLetter(StoreUnderTest tck) throws Exception {
    List<DeadLetter> dead = deadLetters(tck);
    assertThat(dead).as("dead letters").hasSize(1);
    return dead.get(0);
  }
}
