package io.postroad.tck.contract.command;

import static io.postroad.tck.contract.command.CommandScene.FIRST_WAIT;
import static io.postroad.tck.contract.command.CommandScene.TYPE;
import static io.postroad.tck.contract.command.CommandScene.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandOptions;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.command.CommandSignal;
import io.postroad.command.FailureCode;
import io.postroad.inbox.PermanentFailure;
import io.postroad.inbox.RetryableFailure;
import io.postroad.message.Message;
import io.postroad.spi.StoredCommand;
import io.postroad.store.CommandStatus;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Handlers that fail, hang or come too late; nothing of theirs stays, and nothing gets stuck. */
@StoreContract
@OrderedOnly
public final class CommandTroubleContract {
  private static final Duration SOON = Duration.ofSeconds(30);

  /** As the guide has it. */
  private static final class InsufficientFundsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InsufficientFundsException(String message) {
      super(message);
    }
  }

  @Test
  void aBusinessExceptionIsRepliedToAtOnceAndRollsBack(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    scene.behaviour =
        (command, context) -> {
          throw new RuntimeException(new InsufficientFundsException("account 7 has 3.00 \u20ac"));
        };

    UUID id = scene.handle(request("key-1"));

    assertThat(scene.reply(id))
        .isEqualTo(
            CommandReply.failed(id, id, "InsufficientFundsException: account 7 has 3.00 \u20ac"));
    assertThat(scene.events()).as("rolled back").isEmpty();
    assertThat(stored(scene, id).attempt()).isEqualTo(1);
    assertThat(stored(scene, id).status()).isEqualTo(CommandStatus.FAILED);
  }

  @Test
  void aConstructorThatRefusesIsAPermanentFailureWithItsText(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);

    assertInvalid(scene, "{\"amount\":1}", "IllegalArgumentException: customer is required");
    assertInvalid(scene, "{\"customer\":\"c-1\"}", "amount");
    assertInvalid(scene, "{\"customer\":\"c-1\",\"amount\":\"many\"}", "amount");
    assertThat(scene.handled).isEmpty();
  }

  private static void assertInvalid(CommandScene scene, String payload, String text) {
    UUID id = scene.handle(CommandRequest.of(TYPE, "key " + payload, "order-456", payload));
    CommandReply.Failed failed = (CommandReply.Failed) scene.reply(id);
    assertThat(failed.code()).isEqualTo(FailureCode.INVALID);
    assertThat(failed.error()).contains(text);
  }

  @Test
  void aTransientFailureIsTriedAgainWhenItIsDue(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    scene.behaviour =
        (command, context) -> {
          if (context.attempt() == 1) {
            throw new RetryableFailure("the rates are not here yet");
          }
          return null;
        };

    UUID id = scene.handle(request("key-1"));
    assertThat(scene.replyIfAny(id)).isEmpty();
    assertThat(stored(scene, id).status()).isEqualTo(CommandStatus.PENDING);
    assertThat(stored(scene, id).lastError())
        .contains("RetryableFailure: the rates are not here yet");
    assertThat(scene.bus().runOnce()).as("not due").isZero();
    tck.advance(FIRST_WAIT.plusSeconds(1));
    assertThat(scene.bus().runOnce()).isEqualTo(1);

    assertThat(scene.reply(id)).isInstanceOf(CommandReply.Completed.class);
    assertThat(scene.events()).as("once").hasSize(1);
    assertThat(scene.signals).hasAtLeastOneElementOfType(CommandSignal.Retrying.class);
  }

  @Test
  void afterItsAttemptsItHasFailed(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    scene.behaviour =
        (command, context) -> {
          throw new RetryableFailure("never");
        };
    UUID id = scene.handle(request("key-1"));
    for (int i = 0; i < 2; i++) {
      tck.advance(FIRST_WAIT.plusSeconds(1));
      assertThat(scene.bus().runOnce()).isEqualTo(1);
    }

    CommandReply.Failed failed = (CommandReply.Failed) scene.reply(id);
    assertThat(failed.code()).isEqualTo(FailureCode.EXHAUSTED);
    assertThat(failed.error()).contains("RetryableFailure: never").contains("3 attempts");
    tck.advance(Duration.ofDays(1));
    assertThat(scene.bus().runOnce()).isZero();
  }

  @Test
  void theRuleOfTheUserDecidesUnknownFailuresOnly(StoreUnderTest tck) throws Exception {
    CommandScene scene =
        CommandScene.of(
            tck, builder -> builder.retryRule((failure, error) -> error.contains("connection")));
    scene.behaviour =
        (command, context) -> {
          throw context.idempotencyKey().equals("key-1")
              ? new IllegalStateException("connection refused")
              : new PermanentFailure("connection refused");
        };

    assertThat(scene.replyIfAny(scene.handle(request("key-1")))).as("tried again").isEmpty();
    assertThat(scene.reply(scene.handle(request("key-2")))).isInstanceOf(CommandReply.Failed.class);
  }

  @Test
  void aWorkerThatCrashesOftenUsesUpTheAttempts(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    UUID id = scene.bus().accept(request("key-1"));
    crash(tck, scene, 4);

    int unused = scene.bus().runOnce();

    CommandReply.Failed failed = (CommandReply.Failed) scene.reply(id);
    assertThat(failed.code()).isEqualTo(FailureCode.EXHAUSTED);
    assertThat(failed.error()).contains("crashed");
    assertThat(scene.handled).isEmpty();
    assertThat(scene.handled).isEmpty();
  }

  @Test
  void aResultThatIsNoJsonFailsAndRollsBack(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    scene.behaviour = (command, context) -> new Object();

    UUID id = scene.handle(request("key-1"));

    assertThat(((CommandReply.Failed) scene.reply(id)).code())
        .isEqualTo(FailureCode.UNWRITABLE_RESULT);
    assertThat(scene.events()).isEmpty();
  }

  @Test
  void aCommandThatWasNotHandledInTimeTimesOut(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    UUID id = scene.bus().accept(request("key-1").within(SOON));
    tck.advance(SOON.plusSeconds(1));

    assertThat(scene.bus().runOnce()).isZero();

    assertThat(scene.reply(id)).isInstanceOf(CommandReply.TimedOut.class);
    assertThat(scene.handled).isEmpty();
    assertThat(scene.signals).hasAtLeastOneElementOfType(CommandSignal.TimedOut.class);
  }

  @Test
  void aCommandThatMayBeLateIsToldAndHandledAndReported(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    UUID id =
        scene.bus().accept(request("key-1").within(SOON).evenLate().replyTo("APP.CMD.REPLY.Q"));
    tck.advance(SOON.plusSeconds(1));

    assertThat(scene.bus().runOnce()).as("told, and handled in the same pass").isEqualTo(1);

    assertThat(scene.reply(id)).isInstanceOf(CommandReply.Completed.class);
    assertThat(scene.signals)
        .hasAtLeastOneElementOfType(CommandSignal.TimedOut.class)
        .hasAtLeastOneElementOfType(CommandSignal.HandledLate.class);
    List<Message> sent = tck.receive();
    assertThat(sent)
        .extracting(Message::type)
        .containsExactlyInAnyOrder("CommandTimedOut", "OrderCreated", "CommandCompleted");
    assertThat(sent)
        .filteredOn(message -> message.headers().containsKey("command-late"))
        .as("a notice, after which another reply comes")
        .extracting(Message::type)
        .containsExactly("CommandTimedOut");
  }

  @Test
  void aHandlerThatTakesTooLongIsInterruptedAndTriedAgain(StoreUnderTest tck) throws Exception {
    CommandScene scene =
        CommandScene.of(
            tck,
            builder ->
                builder.options(
                    CommandScene.options()
                        .withTimes(Duration.ofMillis(200), Duration.ofMinutes(1))));
    CountDownLatch never = new CountDownLatch(1);
    scene.behaviour =
        (command, context) -> {
          if (context.attempt() == 1) {
            never.await();
          }
          return null;
        };

    UUID id = scene.handle(request("key-1"));
    assertThat(stored(scene, id).status()).isEqualTo(CommandStatus.PENDING);
    assertThat(stored(scene, id).lastError().orElse("")).contains("did not return within PT0.2S");
    tck.advance(FIRST_WAIT.plusSeconds(1));
    assertThat(scene.bus().runOnce()).isEqualTo(1);

    assertThat(scene.reply(id)).isInstanceOf(CommandReply.Completed.class);
    assertThat(scene.events()).as("once").hasSize(1);
  }

  @Test
  void aHandlerThatNeverReturnsLosesItsCommandAndItsPlace(StoreUnderTest tck) throws Exception {
    CommandScene scene =
        CommandScene.of(
            tck,
            builder ->
                builder.options(
                    CommandScene.options()
                        .withConcurrency(1)
                        .withMaxAttempts(1)
                        .withTimes(Duration.ofMillis(200), Duration.ofMinutes(1))));
    CountDownLatch end = new CountDownLatch(1);
    scene.behaviour =
        (command, context) -> {
          if (context.idempotencyKey().equals("stuck")) {
            awaitUninterruptibly(end);
          }
          return null;
        };
    scene.bus().start();
    var stuck = scene.bus().submit(request("stuck"));
    var next = scene.bus().submit(request("next"));

    CommandReply.Failed failed = (CommandReply.Failed) stuck.get(60, TimeUnit.SECONDS);
    assertThat(failed.code()).isEqualTo(FailureCode.EXHAUSTED);
    assertThat(failed.error()).contains("did not return within PT0.2S");
    assertThat(next.get(60, TimeUnit.SECONDS)).isInstanceOf(CommandReply.Completed.class);
    assertThat(scene.signals).hasAtLeastOneElementOfType(CommandSignal.Stuck.class);
    end.countDown();
    scene.bus().stop();
    assertThat(scene.events()).as("of the other one").hasSize(1);
    assertThat(scene.reply(failed.commandId())).as("whatever it did later").isEqualTo(failed);
  }

  @Test
  void aListenerThatNeverReturnsFreesItsPlaceAndItsWorkIsLost(StoreUnderTest tck) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch retrying = new CountDownLatch(1);
    CommandScene scene =
        CommandScene.of(
            tck,
            builder ->
                builder
                    .options(
                        CommandScene.options()
                            .withConcurrency(1)
                            .withTimes(Duration.ofMillis(200), Duration.ofMinutes(1)))
                    .observer(
                        signal -> {
                          if (signal instanceof CommandSignal.Retrying) {
                            retrying.countDown();
                          }
                        })
                    .replyListener(
                        (transaction, command, reply) -> {
                          if (command.idempotencyKey().equals("stuck")) {
                            awaitUninterruptibly(end);
                          }
                        }));
    scene.bus().start();
    UUID stuck = scene.bus().accept(request("stuck"));
    var next = scene.bus().submit(request("next"));

    assertThat(next.get(60, TimeUnit.SECONDS)).isInstanceOf(CommandReply.Completed.class);
    assertThat(retrying.await(60, TimeUnit.SECONDS)).isTrue();
    scene.bus().stop();
    end.countDown();
    assertThat(scene.events()).as("of the other one").hasSize(1);
    assertThat(stored(scene, stuck).status()).as("tried again").isEqualTo(CommandStatus.PENDING);
    assertThat(stored(scene, stuck).lastError().orElse(""))
        .contains("did not return within PT0.2S");
  }

  @Test
  void aListenerThatHangsOnAFailureFreesItsPlaceToo(StoreUnderTest tck) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch retrying = new CountDownLatch(1);
    CommandScene scene =
        CommandScene.of(
            tck,
            builder ->
                builder
                    .options(
                        CommandScene.options()
                            .withConcurrency(1)
                            .withTimes(Duration.ofMillis(200), Duration.ofMinutes(1)))
                    .observer(
                        signal -> {
                          if (signal instanceof CommandSignal.Retrying) {
                            retrying.countDown();
                          }
                        })
                    .replyListener(
                        (transaction, command, reply) -> {
                          if (reply instanceof CommandReply.Failed) {
                            awaitUninterruptibly(end);
                          }
                        }));
    scene.behaviour =
        (command, context) -> {
          if (context.idempotencyKey().equals("fails")) {
            throw new IllegalStateException("no stock");
          }
          return null;
        };
    scene.bus().start();
    UUID fails = scene.bus().accept(request("fails"));
    var next = scene.bus().submit(request("next"));

    assertThat(next.get(60, TimeUnit.SECONDS)).isInstanceOf(CommandReply.Completed.class);
    assertThat(retrying.await(60, TimeUnit.SECONDS)).isTrue();
    scene.bus().stop();
    end.countDown();
    assertThat(scene.replyIfAny(fails)).isEmpty();
    assertThat(stored(scene, fails).status()).as("tried again").isEqualTo(CommandStatus.PENDING);
  }

  @Test
  void aCommandThatWaitedWhereWorkersCrashedIsTriedOnceMoreAndAlone(StoreUnderTest tck)
      throws Exception {
    CommandScene scene =
        CommandScene.of(tck, builder -> builder.options(CommandScene.options().withConcurrency(4)));
    UUID suspect = scene.bus().accept(request("suspect"));
    crash(tck, scene, 3);
    CountDownLatch others = new CountDownLatch(1);
    scene.behaviour =
        (command, context) -> {
          if (context.idempotencyKey().equals("suspect")) {
            // Long enough for others that need not wait.
            return others.await(300, TimeUnit.MILLISECONDS) ? "met others" : "alone";
          }
          others.countDown();
          return null;
        };
    for (int i = 0; i < 5; i++) {
      UUID unused = scene.bus().accept(request("other-" + i));
    }
    scene.bus().start();

    CommandReply reply = scene.bus().await(suspect).get(60, TimeUnit.SECONDS);
    assertThat(((CommandReply.Completed) reply).data()).containsEntry("value", "alone");
    for (int i = 0; i < 5; i++) {
      assertThat(scene.bus().submit(request("other-" + i)).get(60, TimeUnit.SECONDS))
          .isInstanceOf(CommandReply.Completed.class);
    }
    assertThat(stored(scene, suspect).attempt()).isEqualTo(4);
  }

  @Test
  void aTimeoutThatAListenerDoesNotTakeHoldsUpNoOther(StoreUnderTest tck) throws Exception {
    AtomicBoolean broken = new AtomicBoolean(true);
    CommandScene scene =
        CommandScene.of(
            tck,
            builder ->
                builder.replyListener(
                    (transaction, command, reply) -> {
                      if (broken.get() && command.idempotencyKey().equals("bad")) {
                        throw new IllegalStateException("no such process");
                      }
                    }));
    UUID bad = scene.bus().accept(request("bad").within(SOON));
    tck.advance(Duration.ofSeconds(1));
    UUID good = scene.bus().accept(request("good").within(SOON));
    tck.advance(SOON);
    tck.advance(Duration.ofSeconds(1));

    int unused = scene.bus().runOnce();

    assertThat(scene.reply(good)).isInstanceOf(CommandReply.TimedOut.class);
    assertThat(scene.replyIfAny(bad)).as("rolled back").isEmpty();
    broken.set(false);
    int unusedToo = scene.bus().runOnce();
    assertThat(scene.reply(bad)).isInstanceOf(CommandReply.TimedOut.class);
  }

  /** Workers that take what is due and die. */
  private static void crash(StoreUnderTest tck, CommandScene scene, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      assertThat(scene.store().claim("crashed", Set.of(TYPE), 1, Duration.ofMinutes(1))).hasSize(1);
      tck.advance(Duration.ofMinutes(2));
    }
  }

  private static void awaitUninterruptibly(CountDownLatch end) {
    boolean ended = false;
    while (!ended) {
      try {
        ended = end.await(60, TimeUnit.SECONDS);
      } catch (InterruptedException ignored) {
        // That is what this handler is about.
      }
    }
  }

  @Test
  void commandsBehindAHandlerThatHangsAreLeftToOtherNodes(StoreUnderTest tck) throws Exception {
    CommandOptions options = CommandScene.options().withConcurrency(1);
    CompletableFuture<UUID> hangs = new CompletableFuture<>();
    CountDownLatch claimed = new CountDownLatch(2);
    CommandScene scene =
        CommandScene.of(
            tck,
            builder -> builder.options(options).observer(signal -> countClaim(signal, claimed)));
    CommandScene another =
        CommandScene.of(tck, builder -> builder.options(options.withName("node-2")));
    CountDownLatch goOn = new CountDownLatch(1);
    scene.behaviour =
        (command, context) -> {
          if (context.idempotencyKey().startsWith("batch") && hangs.complete(context.commandId())) {
            goOn.await(60, TimeUnit.SECONDS);
          }
          return null;
        };
    scene.bus().start();
    for (int i = 0; i < 60; i++) {
      // Until it knows that they take no time, and claims some ahead.
      assertThat(scene.bus().submit(request("quick-" + i)).get(60, TimeUnit.SECONDS))
          .isInstanceOf(CommandReply.Completed.class);
    }
    List<UUID> batch = new ArrayList<>();
    scene
        .store()
        .transactions()
        .run(
            transaction -> {
              for (int i = 0; i < 6; i++) {
                batch.add(scene.bus().accept(transaction, request("batch-" + i)));
              }
            });

    try {
      UUID first = hangs.get(60, TimeUnit.SECONDS);
      batch.remove(first);
      assertThat(claimed.await(60, TimeUnit.SECONDS)).as("one beside that which hangs").isTrue();
      another.bus().start();
      for (UUID id : batch) {
        assertThat(another.bus().await(id).get(SOON.toSeconds(), TimeUnit.SECONDS))
            .isInstanceOf(CommandReply.Completed.class);
        assertThat(stored(scene, id).attempt()).as("given back uncounted").isEqualTo(1);
      }
      assertThat(stored(scene, first).status()).isEqualTo(CommandStatus.PROCESSING);
    } finally {
      goOn.countDown();
    }
    assertThat(scene.bus().await(hangs.get()).get(60, TimeUnit.SECONDS))
        .isInstanceOf(CommandReply.Completed.class);
  }

  private static void countClaim(CommandSignal signal, CountDownLatch ofBatch) {
    if (signal instanceof CommandSignal.Claimed claimed
        && claimed.command().idempotencyKey().startsWith("batch")) {
      ofBatch.countDown();
    }
  }

  @Test
  void aBusThatStopsGivesBackWhatHasNotBegun(StoreUnderTest tck) throws Exception {
    CommandScene scene =
        CommandScene.of(tck, builder -> builder.options(CommandScene.options().withConcurrency(1)));
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    scene.behaviour =
        (command, context) -> {
          began.countDown();
          goOn.await(60, TimeUnit.SECONDS);
          return null;
        };
    for (int i = 0; i < 5; i++) {
      UUID unused = scene.bus().accept(request("key-" + i));
    }
    scene.bus().start();
    assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
    var stopped =
        tck.async(
            () -> {
              scene.bus().stop();
              return true;
            });
    goOn.countDown();
    assertThat(StoreUnderTest.get(stopped)).isTrue();

    int handled = scene.handled.size();
    assertThat(handled).isPositive();
    scene.behaviour = (command, context) -> null;
    while (scene.bus().runOnce() > 0) {
      // Until nothing is due.
    }
    assertThat(scene.handled).as("each once, none waits for a lease").hasSize(5);
    assertThat(scene.events()).hasSize(5);
  }

  @Test
  void aHandlerThatSwallowsTheInterruptOfAStopIsRolledBackAndHandledAgain(StoreUnderTest tck)
      throws Exception {
    CommandScene scene =
        CommandScene.of(
            tck, builder -> builder.options(CommandScene.options().withDrainFor(Duration.ZERO)));
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    scene.behaviour =
        (command, context) -> {
          began.countDown();
          try {
            never.await();
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
          return "half done";
        };
    scene.bus().start();
    UUID id = scene.bus().accept(request("key-1"));
    assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
    scene.bus().stop();

    assertThat(scene.replyIfAny(id)).isEmpty();
    assertThat(scene.events()).as("rolled back").isEmpty();
    assertThat(stored(scene, id).attempt()).as("not held against it").isZero();
    scene.behaviour = (command, context) -> null;
    assertThat(scene.bus().runOnce()).isEqualTo(1);
    assertThat(scene.reply(id)).isInstanceOf(CommandReply.Completed.class);
  }

  @Test
  void aStopDoesNotWaitForAHandlerThatIgnoresIt(StoreUnderTest tck) throws Exception {
    CommandScene scene =
        CommandScene.of(
            tck, builder -> builder.options(CommandScene.options().withDrainFor(Duration.ZERO)));
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    scene.behaviour =
        (command, context) -> {
          began.countDown();
          awaitUninterruptibly(end);
          return null;
        };
    scene.bus().start();
    UUID id = scene.bus().accept(request("key-1"));
    assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();

    scene.bus().close();

    assertThat(stored(scene, id).status()).as("given back").isEqualTo(CommandStatus.PENDING);
    end.countDown();
    CommandScene next = CommandScene.of(tck);
    assertThat(next.bus().runOnce()).isEqualTo(1);
    assertThat(next.reply(id)).isInstanceOf(CommandReply.Completed.class);
    assertThat(next.events()).as("once").hasSize(1);
  }

  private static StoredCommand stored(CommandScene scene, UUID id) {
    return scene.bus().find(id).orElseThrow();
  }
}
