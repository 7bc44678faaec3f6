package io.postroad.tck.contract.command;

import static io.postroad.tck.contract.command.CommandScene.TYPE;
import static io.postroad.tck.contract.command.CommandScene.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandContext;
import io.postroad.command.CommandRefusedException;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.command.CommandSignal;
import io.postroad.command.FailureCode;
import io.postroad.command.ReplyListener;
import io.postroad.internal.command.Recall;
import io.postroad.internal.command.StepCommands;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.CommandStore;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.store.CommandStatus;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The port of a bus for processes: a node that runs the next command itself, a command that is
 * taken back, a result that is refused.
 */
@StoreContract
@OrderedOnly
public final class CommandHereContract {

  /** Commands of which each accepts the next: {@code step-1}, {@code step-2}, {@code step-3}. */
  private static final class Steps implements ReplyListener<Object> {
    final List<String> replied = new CopyOnWriteArrayList<>();
    private volatile @Nullable CommandBus<Object> bus;

    @Override
    public void replied(Object transaction, NewCommand command, CommandReply reply) {
      replied.add(command.idempotencyKey() + " " + reply.getClass().getSimpleName());
      Map<String, String> next = Map.of("step-1", "step-2", "step-2", "step-3");
      String key = next.get(command.idempotencyKey());
      if (key != null) {
        UUID unused =
            StepCommands.of(Objects.requireNonNull(bus)).accept(transaction, request(key));
      }
    }
  }

  private static CommandScene scene(StoreUnderTest tck, ReplyListener<Object> listener)
      throws Exception {
    CommandScene scene =
        CommandScene.of(
            tck,
            builder ->
                builder
                    .options(CommandScene.options().withConcurrency(1))
                    .handledElsewhere("Other")
                    .replyListener(listener));
    if (listener instanceof Steps steps) {
      steps.bus = scene.bus();
    }
    return scene;
  }

  private static void waitFor(CommandScene scene, String key) throws Exception {
    scene.bus().submit(request(key)).get(60, TimeUnit.SECONDS);
  }

  @Test
  void theThreadGoesOnWithWhatItsOwnCommandAsksFor(StoreUnderTest tck) throws Exception {
    CommandScene scene = scene(tck, new Steps());
    List<String> order = new CopyOnWriteArrayList<>();
    scene.behaviour =
        (command, context) -> {
          order.add(context.idempotencyKey());
          return null;
        };
    for (String key : List.of("step-1", "queued-1", "queued-2")) {
      UUID unused = scene.bus().accept(request(key));
      tck.advance(Duration.ofSeconds(1));
    }
    scene.bus().start();
    waitFor(scene, "queued-2");
    scene.bus().stop();

    assertThat(order)
        .as("on the only place, before those that were due before them")
        .containsExactly("step-1", "step-2", "step-3", "queued-1", "queued-2");
    assertThat(scene.events()).hasSize(5);
    assertThat(scene.store().findByKey("step-3").map(StoredCommand::attempt)).contains(1);
  }

  /** No lock keeps others away from what was accepted here, only its lease. */
  @Test
  void aRunThatHasLostItsCommandLeavesNothing(StoreUnderTest tck) throws Exception {
    CommandScene scene = scene(tck, new Steps());
    CountDownLatch taken = new CountDownLatch(1);
    AtomicBoolean byAnother = new AtomicBoolean();
    scene.behaviour =
        (command, context) -> {
          if (context.idempotencyKey().equals("step-2") && taken.getCount() > 0) {
            tck.advance(CommandScene.options().leaseFor().plusSeconds(1));
            byAnother.set(isEndedByAnother(scene));
            taken.countDown();
          }
          return null;
        };
    UUID unused = scene.bus().accept(request("step-1"));
    scene.bus().start();
    assertThat(taken.await(60, TimeUnit.SECONDS)).isTrue();
    // The bus itself may have been faster, and then its second run does it and goes on.
    waitFor(scene, byAnother.get() ? "after" : "step-3");
    scene.bus().stop();

    assertThat(scene.signals).filteredOn(CommandSignal.Lost.class::isInstance).hasSize(1);
    assertThat(scene.events())
        .as("none of the run that has lost it")
        .hasSize(byAnother.get() ? 2 : 3);
    assertThat(scene.store().findByKey("step-3").isEmpty()).isEqualTo(byAnother.get());
  }

  private static boolean isEndedByAnother(CommandScene scene) throws Exception {
    CommandStore<Object> store = scene.store();
    return CompletableFuture.supplyAsync(
            () -> {
              List<CommandClaim> claims =
                  store.claim("node-2", Set.of(TYPE), 10, Duration.ofMinutes(1));
              CommandOutcome failed =
                  new CommandOutcome(
                      CommandStatus.FAILED, "BUSINESS", Optional.of("no"), Optional.empty());
              return !claims.isEmpty()
                  && store
                      .transactions()
                      .<Boolean, RuntimeException>call(
                          unit -> store.finish(unit, claims.get(0), failed));
            })
        .get(60, TimeUnit.SECONDS);
  }

  @Test
  void theThreadGoesOnAfterAFailureToo(StoreUnderTest tck) throws Exception {
    Steps steps = new Steps();
    CommandScene scene = scene(tck, steps);
    scene.behaviour =
        (command, context) -> {
          if (context.idempotencyKey().equals("step-1")) {
            UUID unused = scene.steps().accept(context.transaction(), request("undone"));
            throw new IllegalStateException("no stock");
          }
          return null;
        };
    for (String key : List.of("step-1", "queued")) {
      UUID unused = scene.bus().accept(request(key));
      tck.advance(Duration.ofSeconds(1));
    }
    scene.bus().start();
    waitFor(scene, "queued");
    scene.bus().stop();

    assertThat(steps.replied)
        .containsExactly(
            "step-1 Failed", "step-2 Completed", "step-3 Completed", "queued Completed");
    assertThat(scene.store().findByKey("undone")).as("rolled back").isEmpty();
    assertThat(scene.events()).hasSize(3);
  }

  @Test
  void ofSeveralTheThreadGoesOnWithTheFirstAndTheOthersQueue(StoreUnderTest tck) throws Exception {
    CommandScene scene = scene(tck, ReplyListener.none());
    List<String> order = new CopyOnWriteArrayList<>();
    scene.behaviour =
        (command, context) -> {
          order.add(context.idempotencyKey());
          if (context.idempotencyKey().equals("fork")) {
            for (String key : List.of("branch-1", "branch-2", "branch-3")) {
              UUID unused = scene.steps().accept(context.transaction(), request(key));
            }
            assertThat(inside(scene, context, "branch-1").status())
                .isEqualTo(CommandStatus.PROCESSING);
            assertThat(inside(scene, context, "branch-2").status())
                .isEqualTo(CommandStatus.PENDING);
          }
          return null;
        };
    scene.bus().start();
    waitFor(scene, "fork");
    for (String key : List.of("branch-1", "branch-2", "branch-3")) {
      waitFor(scene, key);
    }

    assertThat(order).startsWith("fork", "branch-1").contains("branch-2", "branch-3").hasSize(4);
  }

  /** As the handler's own transaction sees it. */
  private static StoredCommand inside(
      CommandScene scene, CommandContext<Object> context, String key) {
    UUID id = scene.steps().accept(context.transaction(), request(key));
    return scene.store().find(context.transaction(), id).orElseThrow();
  }

  @Test
  void aUnitOutsideOfARunStartsOnAFreePlace(StoreUnderTest tck) throws Exception {
    CommandScene scene = scene(tck, ReplyListener.none());
    scene.bus().start();

    List<StoredCommand> accepted =
        scene
            .store()
            .transactions()
            .<List<StoredCommand>, Exception>call(
                transaction ->
                    List.of(
                        here(scene, transaction, request("key-1")),
                        here(scene, transaction, request("key-2"))));

    assertThat(accepted.get(0).status()).isEqualTo(CommandStatus.PROCESSING);
    assertThat(accepted.get(0).owner()).contains("node-1");
    assertThat(accepted.get(1).status())
        .as("there is one place only")
        .isEqualTo(CommandStatus.PENDING);
    waitFor(scene, "key-1");
    waitFor(scene, "key-2");
    scene.bus().stop();
    assertThat(scene.events()).hasSize(2);
  }

  /** A caller hears of the end before the place is free, and would find none each time. */
  @Test
  void aUnitOutsideOfARunStartsOnAPlaceWhoseRunHasCommitted(StoreUnderTest tck) throws Exception {
    CompletableFuture<CommandScene> opened = new CompletableFuture<>();
    CompletableFuture<List<CommandStatus>> accepted = new CompletableFuture<>();
    ReplyListener<Object> listener =
        (transaction, command, reply) -> {
          if (command.idempotencyKey().equals("first")) {
            CommandScene here = opened.join();
            here.store()
                .transactions()
                .afterCommitOf(
                    transaction, () -> accepted.complete(byAnotherThread(here, "2", "3", "4")));
          }
        };
    CommandScene scene =
        CommandScene.of(
            tck,
            builder ->
                builder.options(CommandScene.options().withConcurrency(2)).replyListener(listener));
    opened.complete(scene);
    scene.bus().start();
    waitFor(scene, "first");

    assertThat(accepted.get(60, TimeUnit.SECONDS))
        .as("of two places one is free, and one is about to be")
        .containsExactly(CommandStatus.PROCESSING, CommandStatus.PROCESSING, CommandStatus.PENDING);
    for (String key : List.of("2", "3", "4")) {
      waitFor(scene, key);
      assertThat(scene.store().findByKey(key).map(StoredCommand::attempt)).contains(1);
    }
    scene.bus().stop();
    assertThat(scene.events()).hasSize(4);
  }

  /** How they were accepted, in one unit. */
  private static List<CommandStatus> byAnotherThread(CommandScene scene, String... keys) {
    return CompletableFuture.supplyAsync(
            () ->
                scene
                    .store()
                    .transactions()
                    .<List<CommandStatus>, RuntimeException>call(
                        transaction ->
                            Stream.of(keys)
                                .map(key -> here(scene, transaction, request(key)).status())
                                .toList()))
        .join();
  }

  private static StoredCommand here(
      CommandScene scene, Object transaction, CommandRequest request) {
    UUID id = scene.steps().accept(transaction, request);
    return scene.store().find(transaction, id).orElseThrow();
  }

  @Test
  void aUnitThatRollsBackStartsNothing(StoreUnderTest tck) throws Exception {
    CommandScene scene = scene(tck, ReplyListener.none());
    scene.bus().start();

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                scene
                    .store()
                    .transactions()
                    .run(
                        transaction -> {
                          UUID unused = scene.steps().accept(transaction, request("key-1"));
                          throw new IllegalStateException("rolled back");
                        }));

    waitFor(scene, "key-2");
    scene.bus().stop();
    assertThat(scene.events()).as("of the other one").hasSize(1);
    assertThat(scene.store().findByKey("key-1")).isEmpty();
  }

  @Test
  void itQueuesWhereThisNodeCannotGoOn(StoreUnderTest tck) throws Exception {
    CommandScene scene = scene(tck, ReplyListener.none());
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    scene.behaviour =
        (command, context) -> {
          began.countDown();
          assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
          return null;
        };
    assertThat(committed(tck, scene, request("not started"))).isEqualTo(CommandStatus.PENDING);
    scene.bus().start();
    assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();

    assertThat(committed(tck, scene, request("no place"))).isEqualTo(CommandStatus.PENDING);
    goOn.countDown();
    waitFor(scene, "no place");

    assertThat(unit(scene, CommandRequest.of("Other", "elsewhere", "order-456", "{}")))
        .isEqualTo(CommandStatus.PENDING);
    assertThat(unit(scene, request("later").notBefore(scene.store().now().plusSeconds(600))))
        .isEqualTo(CommandStatus.PENDING);
    assertThat(committed(tck, scene, request("not the current unit")))
        .isEqualTo(CommandStatus.PENDING);
    waitFor(scene, "not the current unit");
  }

  /** How it was accepted in a unit. */
  private static CommandStatus unit(CommandScene scene, CommandRequest request) throws Exception {
    return scene
        .store()
        .transactions()
        .<CommandStatus, Exception>call(transaction -> here(scene, transaction, request).status());
  }

  /** How it was accepted in a transaction of the caller's own. */
  private static CommandStatus committed(
      StoreUnderTest tck, CommandScene scene, CommandRequest request) throws Exception {
    var transaction = tck.begin();
    CommandStatus status = here(scene, transaction.handle(), request).status();
    transaction.commit();
    scene.bus().wakeUp();
    return status;
  }

  @Test
  void aBusThatStopsGivesBackWhatItWouldGoOnWith(StoreUnderTest tck) throws Exception {
    CommandScene scene =
        CommandScene.of(
            tck, builder -> builder.options(CommandScene.options().withDrainFor(Duration.ZERO)));
    CountDownLatch committed = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    scene.behaviour =
        (command, context) -> {
          UUID unused = scene.steps().accept(context.transaction(), request("next"));
          scene
              .store()
              .transactions()
              .afterCommit(
                  () -> {
                    committed.countDown();
                    untilInterrupted(never);
                  });
          return null;
        };
    scene.bus().start();
    UUID first = scene.bus().accept(request("first"));
    assertThat(committed.await(60, TimeUnit.SECONDS)).isTrue();
    scene.bus().stop();

    assertThat(scene.reply(first)).isInstanceOf(CommandReply.Completed.class);
    StoredCommand next = scene.store().findByKey("next").orElseThrow();
    assertThat(next.status()).isEqualTo(CommandStatus.PENDING);
    assertThat(next.attempt()).isZero();
    scene.behaviour = (command, context) -> null;
    assertThat(scene.bus().runOnce()).isEqualTo(1);
  }

  private static void untilInterrupted(CountDownLatch never) {
    try {
      never.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aRecallTellsWhatItFoundAndNotTheListener(StoreUnderTest tck) throws Exception {
    Steps steps = new Steps();
    CommandScene scene =
        CommandScene.of(
            tck,
            builder ->
                builder
                    .send("Pay", "APP.CMD.PAY.Q")
                    .replyTo("APP.CMD.REPLY.Q")
                    .owner("shop")
                    .replyListener(steps));
    UUID queued = scene.bus().accept(request("queued"));
    UUID sent = scene.bus().accept(CommandRequest.of("Pay", "sent", "order-456", "{}"));

    assertThat(recall(scene, queued)).isEqualTo(Recall.RECALLED);
    assertThat(recall(scene, queued)).as("twice").isEqualTo(Recall.GONE);
    assertThat(recall(scene, sent)).isEqualTo(Recall.SENT);
    assertThat(recall(scene, UUID.randomUUID())).isEqualTo(Recall.GONE);
    UUID taken = scene.bus().accept(request("taken"));
    assertThat(scene.store().claim("node-2", java.util.Set.of(TYPE), 1, Commands.LEASE)).hasSize(1);
    assertThat(recall(scene, taken)).isEqualTo(Recall.TAKEN);

    assertThat(scene.reply(queued))
        .isEqualTo(
            CommandReply.failed(
                queued, queued, "Cancelled: a sibling failed", FailureCode.CANCELLED));
    assertThat(steps.replied).isEmpty();
    assertThat(scene.signals).hasAtLeastOneElementOfType(CommandSignal.Cancelled.class);
  }

  private static Recall recall(CommandScene scene, UUID id) {
    return scene
        .store()
        .transactions()
        .<Recall, RuntimeException>call(
            transaction -> scene.steps().recall(transaction, id, "a sibling failed"));
  }

  @Test
  void aListenerCanRefuseAResult(StoreUnderTest tck) throws Exception {
    List<CommandReply> heard = new CopyOnWriteArrayList<>();
    CommandScene scene =
        CommandScene.of(
            tck,
            builder ->
                builder.replyListener(
                    (transaction, command, reply) -> {
                      heard.add(reply);
                      if (reply instanceof CommandReply.Completed) {
                        throw new CommandRefusedException("the step is closed");
                      }
                    }));

    UUID id = scene.handle(request("key-1"));

    CommandReply failed =
        CommandReply.failed(
            id, id, "CommandRefusedException: the step is closed", FailureCode.CANCELLED);
    assertThat(scene.reply(id)).isEqualTo(failed);
    assertThat(heard).hasSize(2).last().isEqualTo(failed);
    assertThat(scene.events()).as("rolled back").isEmpty();
    assertThat(scene.bus().find(id).map(StoredCommand::attempt)).as("not tried again").contains(1);
  }

  @Test
  void aHandlerCanAskForItsContext(StoreUnderTest tck) throws Exception {
    CommandScene scene = CommandScene.of(tck);
    scene.behaviour =
        (command, context) -> CommandContext.current().filter(context::equals).isPresent();

    UUID id = scene.handle(request("key-1"));

    assertThat(((CommandReply.Completed) scene.reply(id)).data()).containsEntry("value", true);
    assertThat(CommandContext.current()).isEmpty();
  }
}
