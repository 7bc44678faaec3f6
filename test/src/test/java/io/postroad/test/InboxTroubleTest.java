package io.postroad.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.admin.OutboxAdmin;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxOptions;
import io.postroad.inbox.Incoming;
import io.postroad.inbox.MessageHandler;
import io.postroad.inbox.PermanentFailure;
import io.postroad.message.Message;
import io.postroad.message.WireHeaders;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers that misbehave: nothing is lost, nobody is stuck. */
@Timeout(60)
class InboxTroubleTest {
  private static final String ORDERS = "orders";
  private static final Decision DECISION = new Decision("test", "it is fixed");

  private final ManualClock clock = ManualClock.startingNow();
  private final InMemoryOrderedStore retries = new InMemoryOrderedStore(clock);
  private final List<String> handled = new ArrayList<>();

  private Inbox<InMemoryTransaction> inbox(MessageHandler<InMemoryTransaction> handler) {
    return Inbox.builder(
            retries.inbox(),
            Handlers.<InMemoryTransaction>builder().onAny(ORDERS, "billing", handler).build())
        .retries(retries)
        .options(
            InboxOptions.defaults()
                .withRetries(
                    RelayOptions.defaults().withMaxAttempts(2).withMaxBatch(100).withBreakAfter(0)))
        .build();
  }

  private static Message message(String key) {
    return Message.event("OrderPlaced").to(ORDERS).key(key).json("{}").build();
  }

  /** Asks once only, so that what is stuck fails here. */
  private static boolean receiveOnce(Inbox<InMemoryTransaction> inbox, Message message) {
    return inbox.receive(Incoming.of(message), () -> false);
  }

  @Test
  void anErrorOfAHandlerMovesItsMessageInsteadOfHoldingUpTheReceiver() {
    try (Inbox<InMemoryTransaction> inbox =
        inbox(
            (message, context) -> {
              throw new AssertionError("on purpose");
            })) {
      assertThat(receiveOnce(inbox, message("a"))).isTrue();
    }
  }

  @Test
  void anErrorInTheRetryLineUsesUpAttemptsAndEndsInADeadLetter() {
    try (Inbox<InMemoryTransaction> inbox =
        inbox(
            (message, context) -> {
              throw new AssertionError("on purpose");
            })) {
      assertThat(receiveOnce(inbox, message("a"))).isTrue();
      for (int i = 0; i < 5; i++) {
        inbox.runOnce();
        clock.advance(Duration.ofHours(1));
      }
      assertThat(
              OutboxAdmin.over(retries).deadLetters(DeadLetterFilter.all(), Optional.empty(), 10))
          .hasSize(1);
    }
  }

  @Test
  void anErrorOfALocalHandlerIsARejection() {
    try (Inbox<InMemoryTransaction> inbox =
        inbox(
            (message, context) -> {
              throw new AssertionError("on purpose");
            })) {
      retries
          .transactions()
          .run(transaction -> Outbox.over(retries).append(transaction, message("a")));
      RelayPass pass = OutboxRelay.builder(retries, inbox.localSender()).build().drain();
      assertThat(pass.retried()).isPositive();
    }
  }

  @Test
  void anExceptionThatCannotSayWhatItIsMovesItsMessage() {
    try (Inbox<InMemoryTransaction> inbox =
        inbox(
            (message, context) -> {
              throw new Unspeakable();
            })) {
      assertThat(receiveOnce(inbox, message("a"))).isTrue();
    }
  }

  private static final class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }
  }

  @Test
  void anInterruptThatAHandlerLeavesBehindIsNotTheReceivers() {
    AtomicInteger calls = new AtomicInteger();
    try (Inbox<InMemoryTransaction> inbox =
        inbox(
            (message, context) -> {
              Thread.currentThread().interrupt();
              throw new IllegalStateException("attempt " + calls.incrementAndGet());
            })) {
      assertThat(receiveOnce(inbox, message("a"))).isTrue();
      assertThat(Thread.interrupted()).isFalse();
    }
  }

  @Test
  void aUsersOwnHeadersAreNotTakenForThoseOfTheRetryLine() {
    AtomicBoolean fails = new AtomicBoolean(true);
    try (Inbox<InMemoryTransaction> inbox =
        inbox(
            (message, context) -> {
              if (fails.getAndSet(false)) {
                throw new IllegalStateException("on purpose");
              }
              handled.add(
                  "%s %s %s"
                      .formatted(
                          message.headers().get("refused"),
                          message.headers().get("retry-of"),
                          message.headers().get("retry-from")));
            })) {
      Message refused =
          Message.event("PaymentRefused")
              .to(ORDERS)
              .key("a")
              .header("refused", "by the bank")
              .header("retry-of", "payment 7")
              .header("retry-from", "shop")
              .json("{}")
              .build();
      assertThat(receiveOnce(inbox, refused)).isTrue();
      inbox.runOnce();
      assertThat(handled).containsExactly("by the bank payment 7 shop");
    }
  }

  @Test
  void whatWaitsForAHandlerWhenTheSenderIsClosedHasAnOutcome() throws Exception {
    CountDownLatch runs = new CountDownLatch(1);
    Inbox<InMemoryTransaction> inbox =
        inbox(
            (message, context) -> {
              runs.countDown();
              new CountDownLatch(1).await();
            });
    List<CompletionStage<SendOutcome>> outcomes =
        inbox.localSender().send(List.of(message("a"), message("a")));
    assertThat(runs.await(30, TimeUnit.SECONDS)).isTrue();

    inbox.close();

    assertThat(outcomes.get(1).toCompletableFuture().get(10, TimeUnit.SECONDS))
        .isInstanceOf(SendOutcome.Unknown.class);
  }

  @Test
  void manyBehindADeadLetterStayInOrderWhileTheHousekeeperLooks() {
    AtomicBoolean fails = new AtomicBoolean(true);
    try (Inbox<InMemoryTransaction> inbox =
        inbox(
            (message, context) -> {
              if (fails.get()) {
                throw new PermanentFailure("on purpose");
              }
              handled.add(context.messageId());
            })) {
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Message message = message("a");
        expected.add(message.id().toString());
        assertThat(receiveOnce(inbox, message)).isTrue();
        inbox.runOnce();
        clock.advance(Duration.ofMinutes(2));
      }
      fails.set(false);
      OutboxAdmin.over(retries).replay(deadLetter(), DECISION);
      Message last = message("a");
      expected.add(last.id().toString());
      assertThat(receiveOnce(inbox, last)).isTrue();
      for (int i = 0; i < 3; i++) {
        inbox.runOnce();
        clock.advance(Duration.ofMinutes(2));
      }
      assertThat(handled).containsExactlyElementsOf(expected);
    }
  }

  private UUID deadLetter() {
    return OutboxAdmin.over(retries)
        .deadLetters(DeadLetterFilter.all(), Optional.empty(), 10)
        .get(0)
        .message()
        .id();
  }

  @Test
  void aRefusedMessageIsHandledWhenItWasEdited() {
    try (Inbox<InMemoryTransaction> inbox =
        inbox((message, context) -> handled.add(message.payload().text().orElseThrow()))) {
      Incoming refused =
          new Incoming("id-1", message("a"), Optional.of("its body has too many bytes"));
      assertThat(inbox.receive(refused, () -> false)).isTrue();
      inbox.runOnce();

      OutboxAdmin.over(retries)
          .edit(
              deadLetter(),
              message -> message.withoutHeader(WireHeaders.REFUSED).json("[1]"),
              DECISION);
      inbox.runOnce();

      assertThat(handled).containsExactly("[1]");
    }
  }

  @Test
  void anEditedMessageIsFollowedByThoseOfItsKey() {
    AtomicBoolean fails = new AtomicBoolean(true);
    try (Inbox<InMemoryTransaction> inbox =
        inbox(
            (message, context) -> {
              if (fails.get()) {
                throw new PermanentFailure("on purpose");
              }
              handled.add(message.payload().text().orElseThrow());
            })) {
      assertThat(receiveOnce(inbox, message("a"))).isTrue();
      inbox.runOnce();
      fails.set(false);
      clock.advance(Duration.ofMinutes(2));
      OutboxAdmin.over(retries).edit(deadLetter(), message -> message.json("[1]"), DECISION);
      assertThat(receiveOnce(inbox, message("a"))).isTrue();
      assertThat(handled).isEmpty();
      inbox.runOnce();
      clock.advance(Duration.ofMinutes(2));
      inbox.runOnce();
      assertThat(handled).containsExactly("[1]", "{}");
    }
  }
}
