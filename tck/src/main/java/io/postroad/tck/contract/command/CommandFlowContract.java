package io.postroad.tck.contract.command;

import static io.postroad.tck.contract.command.CommandScene.TYPE;
import static io.postroad.tck.contract.command.CommandScene.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.command.CommandSignal;
import io.postroad.command.DuplicateCommandException;
import io.postroad.command.FailureCode;
import io.postroad.command.IdempotencyKeys;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandOutcome;
import io.postroad.store.CommandStatus;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.command.CommandScene.CreateOrderCommand;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** From accept to reply, over a bus that handles its own commands. */
@StoreContract
@OrderedOnly
public final class CommandFlowContract {

  @Test
  void theResultOfTheHandlerIsTheReply(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);

    UUID id =
        scene
            .bus()
            .accept(
                new CreateOrderCommand("c-1", 7),
                IdempotencyKeys.processStep("process-123", TYPE),
                "order-456",
                Map.of("tenant", "north"));
    assertThat(scene.replyIfAny(id)).as("before it was handled").isEmpty();
    assertThat(scene.bus().runOnce()).isEqualTo(1);

    assertThat(scene.reply(id)).isEqualTo(CommandReply.completed(id, id, Map.of("orderId", 7)));
    assertThat(scene.bus().findReplyByKey("process-123:CreateOrder")).contains(scene.reply(id));
    assertThat(scene.events()).hasSize(1);
    assertThat(scene.bus().find(id).orElseThrow().status()).isEqualTo(CommandStatus.COMPLETED);
    assertThat(scene.bus().runOnce()).as("nothing left").isZero();
  }

  @Test
  void dataKeepsPrecisionAndDatesAreText(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    long beyondDouble = (1L << 53) + 1;
    BigDecimal exact = new BigDecimal("123456789012345678.10");
    scene.behaviour =
        (command, context) ->
            Map.of("number", beyondDouble, "amount", exact, "due", LocalDate.of(2026, 2, 28));

    UUID id = scene.handle(request("key-1"));

    assertThat(((CommandReply.Completed) scene.reply(id)).data())
        .isEqualTo(Map.of("number", beyondDouble, "amount", exact, "due", "2026-02-28"));
  }

  @Test
  void nothingAListAndAScalarHaveTheirShapes(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);

    scene.behaviour = (command, context) -> null;
    assertThat(data(scene, "key-1")).isEmpty();
    scene.behaviour = (command, context) -> List.of(1, 2);
    assertThat(data(scene, "key-2")).isEqualTo(Map.of("value", List.of(1, 2)));
    scene.behaviour = (command, context) -> "done";
    assertThat(data(scene, "key-3")).isEqualTo(Map.of("value", "done"));
  }

  private static Map<String, Object> data(CommandScene scene, String key) {
    return ((CommandReply.Completed) scene.reply(scene.handle(request(key)))).data();
  }

  @Test
  void theHandlerKnowsItsCommand(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    UUID correlationId = UUID.randomUUID();
    scene.behaviour =
        (command, context) ->
            List.of(
                context.commandId(),
                context.type(),
                context.idempotencyKey(),
                context.businessKey(),
                context.correlationId(),
                context.headers(),
                context.attempt());

    UUID id =
        scene.handle(
            request("key-1").withCorrelationId(correlationId).withHeader("tenant", "north"));

    CommandReply.Completed reply = (CommandReply.Completed) scene.reply(id);
    assertThat(reply.correlationId()).isEqualTo(correlationId);
    assertThat(reply.data().get("value"))
        .isEqualTo(
            List.of(
                id.toString(),
                TYPE,
                "key-1",
                "order-456",
                correlationId.toString(),
                Map.of("tenant", "north"),
                1));
  }

  @Test
  void theSameKeyGetsTheFirstIdUntilItHasEnded(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    UUID first = scene.bus().accept(request("process-123:CreateAccount"));

    assertThat(scene.bus().accept(request("process-123:CreateAccount"))).isEqualTo(first);
    assertThat(
            scene
                .bus()
                .accept(
                    CommandRequest.of(
                        TYPE,
                        "process-123:CreateAccount",
                        "order-456",
                        " {\"amount\" : 7.0, \"customer\":\"c-1\"}")))
        .as("the same written otherwise")
        .isEqualTo(first);
    int unused = scene.bus().runOnce();

    assertThatExceptionOfType(DuplicateCommandException.class)
        .isThrownBy(() -> scene.bus().accept(request("process-123:CreateAccount")))
        .withMessageStartingWith("Duplicate idempotency key: process-123:CreateAccount")
        .satisfies(
            duplicate -> {
              assertThat(duplicate).isInstanceOf(IllegalStateException.class);
              assertThat(duplicate.commandId()).isEqualTo(first);
              assertThat(duplicate.sameCommand()).isTrue();
              assertThat(duplicate.reply()).contains(scene.reply(first));
            });
    assertThat(scene.handled).hasSize(1);
  }

  @Test
  void theSameKeyForAnotherCommandIsRefusedAlways(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck, builder -> builder.handledElsewhere("Other"));
    UUID first = scene.bus().accept(request("key-1"));
    CommandRequest otherPayload =
        CommandRequest.of(TYPE, "key-1", "order-456", "{\"customer\":\"c-1\",\"amount\":8}");
    CommandRequest otherType =
        CommandRequest.of("Other", "key-1", "order-456", request("key-1").payload());

    for (CommandRequest other : List.of(otherPayload, otherType)) {
      assertRefused(scene, other, first);
    }
    int unused = scene.bus().runOnce();
    for (CommandRequest other : List.of(otherPayload, otherType)) {
      assertRefused(scene, other, first);
    }
    assertThat(scene.handled).hasSize(1);
  }

  private static void assertRefused(CommandScene scene, CommandRequest other, UUID first) {
    assertThatExceptionOfType(DuplicateCommandException.class)
        .isThrownBy(() -> scene.bus().accept(other))
        .withMessageStartingWith("Duplicate idempotency key: key-1")
        .satisfies(
            duplicate -> {
              assertThat(duplicate.commandId()).isEqualTo(first);
              assertThat(duplicate.sameCommand()).isFalse();
            });
  }

  @Test
  void aDuplicateInsideAUnitLeavesTheUnitWhole(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    UUID unused = scene.handle(request("key-1"));

    scene
        .store()
        .transactions()
        .run(
            transaction -> {
              assertThatExceptionOfType(DuplicateCommandException.class)
                  .isThrownBy(() -> scene.bus().accept(request("key-1")));
              UUID unusedToo = scene.bus().accept(request("key-2"));
            });

    assertThat(scene.bus().runOnce()).isEqualTo(1);
  }

  @Test
  void acceptedInAUnitThatRollsBackIsNotAccepted(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                scene
                    .store()
                    .transactions()
                    .run(
                        transaction -> {
                          UUID unused = scene.bus().accept(request("key-1"));
                          throw new IllegalStateException("rolled back");
                        }));

    assertThat(scene.bus().runOnce()).isZero();
    assertThat(scene.store().findByKey("key-1")).isEmpty();
  }

  @Test
  void ofSixtyFourThreadsWithOneKeyOneIsHandledAndAllGetItsReply(StoreUnderTest tck)
      throws Exception {
    CommandScene scene = CommandScene.of(tck);
    scene.bus().start();

    List<CommandReply> replies =
        tck.together(64, () -> scene.bus().submit(request("one key")).get(60, TimeUnit.SECONDS));

    assertThat(replies.stream().distinct()).hasSize(1);
    assertThat(replies.get(0)).isInstanceOf(CommandReply.Completed.class);
    assertThat(scene.handled).hasSize(1);
    scene.bus().stop();
    assertThat(scene.events()).hasSize(1);
  }

  @Test
  void manyAreHandledOnceEachByTwoNodes(StoreUnderTest tck) throws Exception {
    CommandScene one = CommandScene.of(tck);
    CommandScene two = CommandScene.of(tck);
    List<UUID> ids =
        java.util.stream.IntStream.range(0, 100)
            .mapToObj(i -> one.bus().accept(request("key-" + i)))
            .toList();
    one.bus().start();
    two.bus().start();

    for (UUID id : ids) {
      CommandReply reply = one.bus().await(id).get(60, TimeUnit.SECONDS);
      assertThat(reply.commandId()).isEqualTo(id);
    }
    one.bus().stop();
    two.bus().stop();

    assertThat(one.events()).hasSize(100);
  }

  @Test
  void aRepeatedSubmitGetsTheReplyThatWasKept(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    UUID id = scene.handle(request("key-1"));
    scene.bus().start();

    Future<CommandReply> again = scene.bus().submit(request("key-1"));

    assertThat(again.get(60, TimeUnit.SECONDS)).isEqualTo(scene.reply(id));
  }

  @Test
  void aReplyThatCannotBeReadFailsItsOwnFutureOnly(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    for (int i = 0; i < 9; i++) {
      UUID unused = scene.bus().accept(request("key-" + i));
    }
    List<CommandClaim> claims = scene.store().claim("node-2", Set.of(TYPE), 9, Commands.LEASE);
    for (CommandClaim claim : claims) {
      String data = claim.equals(claims.get(4)) ? "{broken" : "{}";
      Commands.finish(scene.store(), claim, CommandOutcome.completed(data));
    }
    scene.bus().start();
    List<CompletableFuture<CommandReply>> replies =
        claims.stream().map(claim -> scene.bus().await(claim.id())).toList();

    for (int i = 0; i < 9; i++) {
      if (i == 4) {
        assertThat(replies.get(i))
            .failsWithin(Duration.ofSeconds(60))
            .withThrowableOfType(ExecutionException.class)
            .withMessageContaining("cannot be read");
      } else {
        assertThat(replies.get(i).get(60, TimeUnit.SECONDS))
            .isInstanceOf(CommandReply.Completed.class);
      }
    }
  }

  @Test
  void aWaitingFutureFailsWhenTheBusIsClosed(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck, builder -> builder.handledElsewhere("Other"));
    assertThatIllegalStateException()
        .isThrownBy(() -> scene.bus().await(UUID.randomUUID()))
        .withMessageContaining("start()");
    scene.bus().start();
    var future = scene.bus().submit(CommandRequest.of("Other", "key-1", "order-456", "{}"));
    scene.bus().close();

    assertThat(future).failsWithin(Duration.ofSeconds(60));
  }

  @Test
  void anUnknownTypeIsRefusedWithWhatIsRegistered(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> scene.bus().accept("CreateOdrer", "key-1", "order-456", "{}", Map.of()))
        .withMessageStartingWith("Unknown command type: CreateOdrer")
        .withMessageContaining("CreateOrder");
    assertThat(scene.store().findByKey("key-1")).isEmpty();
  }

  @Test
  void anInvalidRequestIsRefusedAndNothingIsWritten(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);

    refused(scene, TYPE, "key-1", "order-456", "{\"customer\":", "is not JSON");
    refused(scene, TYPE, "key-1", "order-456", "[1]", "must be a JSON object, got a list");
    refused(scene, TYPE, "key-1", "order-456", "7", "must be a JSON object, got a scalar");
    refused(scene, "Create Order", "key-1", "order-456", "{}", "letters, digits");
    refused(scene, TYPE, "k".repeat(300), "order-456", "{}", "255 characters", "got 300");
    refused(scene, TYPE, " ", "order-456", "{}", "not be blank");
    refused(scene, TYPE, "key-1", "", "{}", "business key");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request("key-1").withHeader("command-id", "x"))
        .withMessageContaining("reserved");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request("key-1").withHeader("note", "a\nrole: admin"))
        .withMessageContaining("control characters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request("key-1").replyTo("q".repeat(300)))
        .withMessageContaining("1 to 255 characters");
    refused(scene, TYPE, "key-1", "order\n456", "{}", "control characters");
    assertThat(scene.bus().runOnce()).isZero();
    assertThat(scene.store().findByKey("key-1")).isEmpty();
  }

  private static void refused(
      CommandScene scene, String type, String key, String business, String json, String... texts) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scene.bus().accept(type, key, business, json, Map.of()))
        .satisfies(refusal -> assertThat(refusal.getMessage()).contains(texts));
  }

  @Test
  void aQueuedCommandIsCancelledAndRepliedTo(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    UUID id = scene.bus().accept(request("key-1"));

    assertThat(scene.bus().cancel(id, "the customer changed their mind")).isTrue();

    assertThat(scene.bus().runOnce()).isZero();
    assertThat(scene.reply(id))
        .isEqualTo(
            CommandReply.failed(
                id, id, "Cancelled: the customer changed their mind", FailureCode.CANCELLED));
    assertThat(scene.bus().cancel(id, "again")).isFalse();
    assertThat(scene.signals).hasAtLeastOneElementOfType(CommandSignal.Cancelled.class);
  }

  @Test
  void aCancellationInAUnitThatRollsBackDidNotHappen(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    UUID id = scene.bus().accept(request("key-1"));

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                scene
                    .store()
                    .transactions()
                    .run(
                        transaction -> {
                          assertThat(scene.bus().cancel(id, "not wanted")).isTrue();
                          throw new IllegalStateException("rolled back");
                        }));

    assertThat(scene.signals).noneMatch(CommandSignal.Cancelled.class::isInstance);
    assertThat(scene.bus().runOnce()).isEqualTo(1);
    assertThat(scene.reply(id)).isInstanceOf(CommandReply.Completed.class);
  }

  @Test
  void aScheduledCommandWaitsForItsTime(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    UUID id = scene.bus().accept(request("key-1").notBefore(scene.store().now().plusSeconds(60)));

    assertThat(scene.bus().runOnce()).isZero();
    tck.advance(Duration.ofSeconds(61));
    assertThat(scene.bus().runOnce()).isEqualTo(1);
    assertThat(scene.reply(id)).isInstanceOf(CommandReply.Completed.class);
  }

  @Test
  void aReplyIsKeptAndForgottenWithItsKey(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    UUID id = scene.handle(request("key-1"));
    tck.advance(scene.bus().options().retention().plusDays(1));
    int unused = scene.bus().runOnce();

    assertThat(scene.replyIfAny(id)).isEqualTo(Optional.empty());
    assertThat(scene.bus().accept(request("key-1"))).isNotEqualTo(id);
  }
}
