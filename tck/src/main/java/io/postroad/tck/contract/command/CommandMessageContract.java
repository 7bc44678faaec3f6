package io.postroad.tck.contract.command;

import static io.postroad.tck.contract.command.CommandScene.TYPE;
import static io.postroad.tck.contract.command.CommandScene.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.command.CommandSignal;
import io.postroad.command.FailureCode;
import io.postroad.command.ReplyListener;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.RetryableFailure;
import io.postroad.message.Message;
import io.postroad.message.MessageCategory;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.NewCommand;
import io.postroad.store.CommandStatus;
import io.postroad.store.DeadLetterFilter;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.admin.DeadLetterContract;
import io.postroad.tck.contract.scene.RecordingSender;
import io.postroad.tck.contract.scene.Relays;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Commands and replies that travel as messages: through the outbox, and in by an inbox. */
@StoreContract
@OrderedOnly
public final class CommandMessageContract {
  private static final String QUEUE = "APP.CMD.CREATEORDER.Q";
  private static final String REPLIES = "APP.CMD.REPLY.Q";

  @Test
  void aReplyThatWasAskedForIsInTheOutboxWithItsOutcome(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    UUID correlationId = UUID.randomUUID();

    UUID id = scene.handle(request("key-1").replyTo(REPLIES).withCorrelationId(correlationId));

    Message reply = replies(tck.receive()).get(0);
    assertThat(reply.destination()).isEqualTo(REPLIES);
    assertThat(reply.type()).isEqualTo("CommandCompleted");
    assertThat(reply.headers())
        .containsEntry("command-id", id.toString())
        .containsEntry("correlation-id", correlationId.toString());
    assertThat(reply.payload().text().orElseThrow())
        .contains("\"outcome\":\"COMPLETED\"")
        .contains("\"data\":{\"orderId\":7}");
  }

  @Test
  void aFailureIsRepliedToWhileItsEventsRollBack(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    scene.behaviour =
        (command, context) -> {
          throw new IllegalStateException("no stock");
        };

    UUID unused = scene.handle(request("key-1").replyTo(REPLIES));

    List<Message> messages = tck.receive();
    assertThat(messages).extracting(Message::type).containsExactly("CommandFailed");
    assertThat(messages.get(0).payload().text().orElseThrow())
        .contains("\"error\":\"IllegalStateException: no stock\"")
        .contains("\"outcome\":\"BUSINESS\"");
  }

  /** The sender of a command hears of it when the attempts of its receiver are used up. */
  @Test
  void aCommandWhoseAttemptsAreUsedUpIsRepliedTo(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    scene.behaviour =
        (command, context) -> {
          throw new RetryableFailure("the stock is locked");
        };

    UUID unused = scene.handle(request("key-1").replyTo(REPLIES));
    for (int attempt = 2; attempt <= CommandScene.options().maxAttempts(); attempt++) {
      assertThat(replies(tck.receive())).isEmpty();
      tck.advance(CommandScene.FIRST_WAIT.plusSeconds(1));
      assertThat(scene.bus().runOnce()).isEqualTo(1);
    }

    assertThat(replies(tck.receive()))
        .singleElement()
        .satisfies(
            reply ->
                assertThat(reply.payload().text().orElseThrow())
                    .contains("\"outcome\":\"EXHAUSTED\"", "the stock is locked"));
  }

  @Test
  void aListenerHasItsPartInTheTransaction(StoreUnderTest tck) throws Exception {
    CommandScene scene =
        CommandScene.of(
            tck,
            builder ->
                builder.replyListener(
                    (transaction, command, reply) -> {
                      if (command.idempotencyKey().equals("refused")) {
                        throw new IllegalArgumentException("the process has ended");
                      }
                    }));

    UUID id = scene.handle(request("fine"));
    assertThat(scene.reply(id)).isInstanceOf(CommandReply.Completed.class);
    assertThat(scene.events()).hasSize(1);

    UUID refused = scene.handle(request("refused"));
    assertThat(scene.events()).as("rolled back").isEmpty();
    assertThat(scene.bus().find(refused).orElseThrow().status())
        .as("waits for another attempt")
        .isEqualTo(CommandStatus.PENDING);
  }

  @Test
  void withoutAnOutboxNothingCanBeSent(StoreUnderTest tck) throws Exception {
    var store = tck.commands();
    assertThatIllegalStateException()
        .isThrownBy(() -> CommandBus.builder(store, CommandScene.CODEC).send(TYPE, QUEUE).build())
        .withMessageContaining("outbox(");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                CommandBus.builder(store, CommandScene.CODEC)
                    .outbox(Outbox.over(tck.store()))
                    .send(TYPE, QUEUE)
                    .build())
        .withMessageContaining("replyTo(");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                CommandBus.builder(store, CommandScene.CODEC)
                    .outbox(Outbox.over(tck.store()))
                    .send(TYPE, QUEUE)
                    .replyTo(REPLIES)
                    .build())
        .withMessageContaining("owner(");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                CommandBus.builder(store, CommandScene.CODEC)
                    .outbox(Outbox.over(tck.store()))
                    .send(TYPE, REPLIES)
                    .replyTo(REPLIES)
                    .owner("shop")
                    .build())
        .withMessageContaining("use another destination for replies");
    CommandBus<Object> bus =
        tck.closedAtEnd(
            CommandBus.builder(store, CommandScene.CODEC).handledElsewhere(TYPE).build());
    assertThatIllegalStateException()
        .isThrownBy(() -> bus.accept(request("key-1").replyTo(REPLIES)))
        .withMessageContaining("outbox(");
    assertThat(store.findByKey("key-1")).isEmpty();
  }

  /** One database for both ends, as in a service that has its commands queued by a broker. */
  @Test
  void aCommandGoesOutIsHandledAndItsReplyComesBack(StoreUnderTest tck) throws Exception {
    CommandScene scene = remote(tck);
    OutboxRelay relay = loop(tck, scene);
    UUID id =
        scene
            .bus()
            .accept(request("key-1").withHeader("tenant", "north").within(Duration.ofHours(1)));
    assertThat(scene.bus().runOnce()).as("sent, not taken").isZero();

    Relays.drain(relay);
    assertThat(scene.bus().runOnce()).as("it has arrived").isEqualTo(1);
    Relays.drain(relay);

    assertThat(scene.reply(id)).isEqualTo(CommandReply.completed(id, id, Map.of("orderId", 7)));
    assertThat(scene.handled).hasSize(1);
  }

  @Test
  void keptHeadersAreNotSent(StoreUnderTest tck) throws Exception {
    CommandScene scene = remote(tck);
    String kept = CommandRequest.KEPT + "process-id";

    UUID id = scene.bus().accept(request("key-1").withHeader(kept, "1").withHeader("tenant", "n"));

    Message sent = tck.receive().get(0);
    assertThat(sent.headers()).containsEntry("tenant", "n").doesNotContainKey(kept);
    assertThat(scene.bus().find(id).orElseThrow().command().headers()).containsEntry(kept, "1");
  }

  @Test
  void aMessageThatIsNoCommandIsRepliedTo(StoreUnderTest tck) throws Exception {
    CommandScene scene = remote(tck);
    OutboxRelay relay = loop(tck, scene);
    UUID unknown = UUID.randomUUID();
    UUID broken = UUID.randomUUID();
    tck.append(foreign("PayOrder", unknown, "{}"), foreign(TYPE, broken, "[1]"));

    Relays.drain(relay);

    assertThat(scene.bus().runOnce()).isZero();
    assertThat(misdelivered(scene)).as("both replies came back").contains(unknown, broken);
    assertThat(scene.handled).isEmpty();
  }

  @Test
  void aCommandOfAStrangerIsHandledOnceAndAnsweredEachTime(StoreUnderTest tck) throws Exception {
    CommandScene scene = remote(tck);
    OutboxRelay relay = loop(tck, scene);
    UUID first = UUID.randomUUID();
    UUID again = UUID.randomUUID();
    String payload = request("key-1").payload();
    tck.append(foreign(TYPE, first, payload));
    Relays.drain(relay);
    assertThat(scene.bus().runOnce()).isEqualTo(1);
    tck.append(foreign(TYPE, again, payload));
    Relays.drain(relay);
    assertThat(scene.bus().runOnce()).isZero();
    Relays.drain(relay);

    assertThat(scene.handled).hasSize(1);
    assertThat(misdelivered(scene)).as("a command that was not sent from here").contains(again);
  }

  @Test
  void aCommandThatComesAgainBeforeTheFirstHasEndedIsAnsweredAfterIt(StoreUnderTest tck)
      throws Exception {
    CommandScene scene = remote(tck);
    OutboxRelay relay = loop(tck, scene);
    UUID first = UUID.randomUUID();
    UUID again = UUID.randomUUID();
    String payload = request("key-1").payload();
    tck.append(foreign(TYPE, first, payload));
    tck.append(foreign(TYPE, again, payload));
    for (int i = 0; i < 10; i++) {
      Relays.drain(relay);
      tck.advance(Duration.ofSeconds(6));
    }
    assertThat(ignored(scene)).as("no reply is sent").isEmpty();
    assertThat(misdelivered(scene)).isEmpty();

    assertThat(scene.bus().runOnce()).isEqualTo(1);
    Relays.drain(relay);
    assertThat(ignored(scene)).contains(first);
    tck.advance(Duration.ofSeconds(6));
    Relays.drain(relay);
    Relays.drain(relay);

    assertThat(misdelivered(scene)).contains(again);
    assertThat(scene.handled).hasSize(1);
  }

  @Test
  void aCommandThatWasSentAndNotAnsweredTimesOut(StoreUnderTest tck) throws Exception {
    CommandScene scene = remote(tck);
    UUID id = scene.bus().accept(request("key-1").within(Duration.ofSeconds(30)));
    tck.advance(Duration.ofSeconds(31));

    int unused = scene.bus().runOnce();

    assertThat(scene.reply(id)).isInstanceOf(CommandReply.TimedOut.class);
    assertThat(replies(tck.receive())).as("only this service waits for it").isEmpty();
  }

  @Test
  void aCommandThatWasSentTimesOutWithoutADeadlineOfItsOwn(StoreUnderTest tck) throws Exception {
    CommandScene scene = remote(tck);
    Duration limit = CommandScene.options().replyWithin();
    UUID id = scene.bus().accept(request("key-1"));
    Instant notBefore = scene.store().now().plus(limit);
    UUID later = scene.bus().accept(request("key-2").notBefore(notBefore));

    tck.advance(limit.minusMinutes(1));
    int unused = scene.bus().runOnce();
    assertThat(scene.bus().findReply(id)).isEmpty();
    tck.advance(Duration.ofMinutes(2));
    int unusedToo = scene.bus().runOnce();

    assertThat(scene.reply(id)).isInstanceOf(CommandReply.TimedOut.class);
    assertThat(scene.bus().findReply(later)).as("its time has just begun").isEmpty();
  }

  @Test
  void aCommandWhoseMessageIsADeadLetterHasFailed(StoreUnderTest tck) throws Exception {
    CommandScene scene = remote(tck);
    UUID id = scene.bus().accept(request("key-1"));
    RecordingSender refusing =
        RecordingSender.answering(message -> SendOutcome.Rejected.forGood("no such queue"));
    Relays.drain(Relays.relay(tck, tck.store(), refusing, Relays.options().withBreakAfter(0)));
    assertThat(scene.bus().findReply(id)).isEmpty();

    int unused = scene.bus().runOnce();

    assertThat(scene.reply(id))
        .isInstanceOfSatisfying(
            CommandReply.Failed.class,
            failed -> {
              assertThat(failed.code()).isEqualTo(FailureCode.UNDELIVERED);
              assertThat(failed.error())
                  .contains("Undelivered", QUEUE, "dead letter " + id, "no such queue");
            });
    assertThat(scene.signals.stream().filter(CommandSignal.Failed.class::isInstance)).hasSize(1);
    int unusedToo = scene.bus().runOnce();
    assertThat(scene.signals.stream().filter(CommandSignal.Failed.class::isInstance))
        .as("told once")
        .hasSize(1);
  }

  @Test
  void aFutureThatWaitsForACommandThatCannotBeDeliveredIsCompleted(StoreUnderTest tck)
      throws Exception {
    CommandScene scene = remote(tck);
    scene.bus().start();
    CompletableFuture<CommandReply> waiting = scene.bus().submit(request("key-1"));
    RecordingSender refusing =
        RecordingSender.answering(message -> SendOutcome.Rejected.forGood("no such queue"));
    Relays.drain(Relays.relay(tck, tck.store(), refusing, Relays.options().withBreakAfter(0)));

    assertThat(waiting.get(120, TimeUnit.SECONDS))
        .isInstanceOfSatisfying(
            CommandReply.Failed.class,
            failed -> assertThat(failed.code()).isEqualTo(FailureCode.UNDELIVERED));
  }

  @Test
  void aCommandThatMayBeLateEndsWithTheReplyAfterItsTimeout(StoreUnderTest tck) throws Exception {
    CommandScene scene = remote(tck);
    OutboxRelay relay = loop(tck, scene);
    UUID id = scene.bus().accept(request("key-1").within(Duration.ofSeconds(30)).evenLate());

    Message notice = answer("CommandTimedOut", id, "\"error\":\"late\"");
    tck.append(notice.toBuilder().header("command-late", "true").build());
    Relays.drain(relay);
    assertThat(scene.bus().findReply(id)).as("it is still to be handled").isEmpty();
    tck.append(answer("CommandCompleted", id, "\"data\":{\"orderId\":7}"));
    Relays.drain(relay);

    assertThat(scene.reply(id)).isEqualTo(CommandReply.completed(id, id, Map.of("orderId", 7)));
  }

  /** Another service had sent the same command, and for that it must not be late. */
  @Test
  void aCommandThatMayBeLateEndsWithATimeoutThatIsNoNotice(StoreUnderTest tck) throws Exception {
    CommandScene scene = remote(tck);
    OutboxRelay relay = loop(tck, scene);
    UUID id = scene.bus().accept(request("key-1").within(Duration.ofSeconds(30)).evenLate());

    tck.append(answer("CommandTimedOut", id, "\"error\":\"late\""));
    Relays.drain(relay);

    assertThat(scene.reply(id)).isInstanceOf(CommandReply.TimedOut.class);
  }

  @Test
  void aReplyThatContradictsHowACommandEndedIsTold(StoreUnderTest tck) throws Exception {
    List<String> late = new ArrayList<>();
    CommandScene scene =
        CommandScene.of(
            tck,
            builder ->
                builder
                    .send(TYPE, QUEUE)
                    .replyTo(REPLIES)
                    .owner("shop")
                    .replyListener(
                        new ReplyListener<>() {
                          @Override
                          public void replied(
                              Object transaction, NewCommand command, CommandReply reply) {}

                          @Override
                          public void repliedLate(
                              Object transaction, NewCommand command, CommandReply reply) {
                            late.add(command.idempotencyKey() + " " + reply);
                          }
                        }));
    OutboxRelay relay = loop(tck, scene);
    UUID id = scene.bus().accept(request("key-1").within(Duration.ofSeconds(30)));
    tck.advance(Duration.ofSeconds(31));
    int unused = scene.bus().runOnce();
    assertThat(scene.reply(id)).isInstanceOf(CommandReply.TimedOut.class);

    Relays.drain(relay);
    assertThat(ignored(scene)).as("it arrived and was answered").contains(id);
    assertThat(late).as("by what is known here").isEmpty();
    tck.append(answer("CommandCompleted", UUID.randomUUID(), "\"data\":{}"));
    Relays.drain(relay);
    assertThat(late).as("it is unknown").isEmpty();
    tck.append(answer("CommandCompleted", id, "\"data\":{\"orderId\":7}"));
    Relays.drain(relay);

    assertThat(late)
        .containsExactly("key-1 " + CommandReply.completed(id, id, Map.of("orderId", 7)));
    assertThat(scene.reply(id)).as("as before").isInstanceOf(CommandReply.TimedOut.class);
  }

  @Test
  void aReplyThatThisServiceCannotTakeIsADeadLetter(StoreUnderTest tck) throws Exception {
    CommandScene scene = remote(tck);
    OutboxRelay relay = loop(tck, scene);
    UUID id = scene.bus().accept(request("key-1"));
    Message own = answer("CommandCompleted", id, "\"data\":{\"orderId\":7}");
    Message another = own.toBuilder().id(UUID.randomUUID()).header("reply-owner", "market").build();
    UUID unknown = UUID.randomUUID();
    Message unknownHere =
        answer("CommandCompleted", unknown, "\"data\":{}").toBuilder()
            .header("reply-owner", "shop")
            .build();

    tck.append(another, unknownHere);
    Relays.drain(relay);

    assertThat(scene.bus().findReply(id)).as("another service's reply ends nothing").isEmpty();
    assertThat(misdelivered(scene)).contains(id, unknown);
    assertThat(
            DeadLetterContract.ids(
                tck.store().deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10)))
        .contains(another.id(), unknownHere.id());
  }

  private static Message answer(String type, UUID id, String more) {
    return Message.reply(type)
        .to(REPLIES)
        .key(id.toString())
        .json("{\"commandId\":\"%s\",%s}".formatted(id, more))
        .build();
  }

  private static List<UUID> ignored(CommandScene scene) {
    return scene.signals.stream()
        .filter(CommandSignal.ReplyIgnored.class::isInstance)
        .map(signal -> ((CommandSignal.ReplyIgnored) signal).commandId())
        .toList();
  }

  private static List<UUID> misdelivered(CommandScene scene) {
    return scene.signals.stream()
        .filter(CommandSignal.ReplyMisdelivered.class::isInstance)
        .map(signal -> ((CommandSignal.ReplyMisdelivered) signal).commandId())
        .toList();
  }

  private static Message foreign(String type, UUID id, String payload) {
    return Message.command(type)
        .to(QUEUE)
        .key("order-456")
        .json(payload)
        .header("command-id", id.toString())
        .header("idempotency-key", "stranger-1 " + payload.length())
        .header("reply-to", REPLIES)
        .build();
  }

  private static List<Message> replies(List<Message> messages) {
    return messages.stream()
        .filter(message -> message.category() == MessageCategory.REPLY)
        .toList();
  }

  private static CommandScene remote(StoreUnderTest tck) throws Exception {
    return CommandScene.of(
        tck, builder -> builder.send(TYPE, QUEUE).replyTo(REPLIES).owner("shop"));
  }

  /** A relay that hands what is sent to the inbox of the same process. */
  private static OutboxRelay loop(StoreUnderTest tck, CommandScene scene) throws Exception {
    Handlers<Object> handlers =
        scene
            .bus()
            .receive(
                Handlers.<Object>builder().onAny("orders", "orders", (message, context) -> {}),
                Map.of(TYPE, QUEUE))
            .build();
    Inbox<Object> inbox =
        tck.closedAtEnd(
            Inbox.builder(tck.inbox(), handlers)
                .transactions(scene.store().transactions())
                .build());
    return Relays.relay(tck, tck.store(), inbox.localSender(), Relays.options().withBreakAfter(0));
  }
}
