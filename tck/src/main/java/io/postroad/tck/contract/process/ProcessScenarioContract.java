package io.postroad.tck.contract.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandContext;
import io.postroad.command.CommandOptions;
import io.postroad.command.CommandReply;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.outbox.OutboxRelay;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepRetry;
import io.postroad.process.dsl.ProcessGraphBuilder;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.process.ProcessScene.ConvertCommand;
import io.postroad.tck.contract.process.ProcessScene.CreditCommand;
import io.postroad.tck.contract.process.ProcessScene.DebitCommand;
import io.postroad.tck.contract.process.ProcessScene.NotifyCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoConvertCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoCreditCommand;
import io.postroad.tck.contract.process.ProcessScene.UndoDebitCommand;
import io.postroad.tck.contract.scene.FailingTransactions;
import io.postroad.tck.contract.scene.Relays;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Failures of other process managers that no other contract covers; {@code
 * docs/reference/process-scenarios.md} lists all of it.
 */
@StoreContract
@OrderedOnly
public final class ProcessScenarioContract {
  private static final String QUEUE = "APP.CMD.CREDIT.Q";
  private static final String REPLIES = "APP.CMD.REPLY.Q";
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final int ROUNDS = 20;

  @Test
  void aReplyThatIsFirstHasTheNextStepBegunAndThePauseComesAfterIt(StoreUnderTest tck)
      throws Exception {
    ProcessScene scene = creditElsewhere(tck, ProcessScenarioContract::creditFirst);
    UUID id = scene.start("payment-1");

    overlapping(tck, scene, () -> done(scene, id), () -> pause(scene, id));

    assertThat(scene.log(id))
        .endsWith("StepCompleted Credit", "StepStarted Notify", "ProcessPaused");
    scene.runAll();
    scene.endsAs(id, ProcessStatus.SUCCEEDED);
  }

  @Test
  void aPauseThatIsFirstHasTheReplyTakenAndTheNextStepHeld(StoreUnderTest tck) throws Exception {
    ProcessScene scene = creditElsewhere(tck, ProcessScenarioContract::creditFirst);
    UUID id = scene.start("payment-1");

    overlapping(tck, scene, () -> pause(scene, id), () -> done(scene, id));
    scene.runAll();

    assertThat(scene.log(id)).endsWith("ProcessPaused", "StepCompleted Credit", "StepHeld Notify");
    assertThat(scene.calls).isEmpty();
    resume(scene, id);
    scene.runAll();
    scene.endsAs(id, ProcessStatus.SUCCEEDED);
    assertThat(scene.calls).containsExactly("Notify");
  }

  @Test
  void aPauseAndAReplyAtOnceAreOneAfterTheOther(StoreUnderTest tck) throws Exception {
    ProcessScene scene = creditElsewhere(tck, ProcessScenarioContract::creditFirst);
    for (int round = 0; round < ROUNDS; round++) {
      UUID id = scene.start("payment-" + round);
      AtomicInteger who = new AtomicInteger();
      var unused =
          tck.together(
              2,
              () -> {
                if (who.getAndIncrement() == 0) {
                  pause(scene, id);
                } else {
                  done(scene, id);
                }
                return true;
              });

      List<String> log = scene.log(id);
      boolean isPauseFirst = log.indexOf("ProcessPaused") < log.indexOf("StepCompleted Credit");
      assertThat(log)
          .contains("ProcessPaused", "StepCompleted Credit")
          .containsOnlyOnce(isPauseFirst ? "StepHeld Notify" : "StepStarted Notify")
          .doesNotContain(isPauseFirst ? "StepStarted Notify" : "StepHeld Notify");
      resume(scene, id);
      scene.runAll();
      scene.endsAs(id, ProcessStatus.SUCCEEDED);
    }
    assertThat(Collections.frequency(scene.calls, "Notify")).isEqualTo(ROUNDS);
  }

  /** The second begins while the unit of the first, which has the process, is open. */
  private static void overlapping(
      StoreUnderTest tck, ProcessScene scene, Runnable first, Runnable second) throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    Future<Boolean> later =
        scene
            .store()
            .transactions()
            .<Future<Boolean>, Exception>call(
                transaction -> {
                  first.run();
                  Future<Boolean> other =
                      tck.async(
                          () -> {
                            began.countDown();
                            second.run();
                            return true;
                          });
                  assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
                  return other;
                });
    assertThat(StoreUnderTest.get(later)).isTrue();
  }

  private static void pause(ProcessScene scene, UUID id) {
    scene.manager().pause(id, "operator", "ticket 7");
  }

  private static void resume(ProcessScene scene, UUID id) {
    scene.manager().resume(id, "operator", "ticket 7");
  }

  private static void done(ProcessScene scene, UUID id) {
    UUID command = scene.command(id, "Credit");
    assertThat(scene.manager().handleReply(id, CommandReply.completed(command, command, Map.of())))
        .isTrue();
  }

  private static ProcessGraph creditFirst(ProcessGraphBuilder process) {
    return process.startWith(CreditCommand.class).then(NotifyCommand.class).end();
  }

  /** Credits go through a broker; this service can handle what comes from there, too. */
  private static ProcessScene creditElsewhere(
      StoreUnderTest tck, Function<ProcessGraphBuilder, ProcessGraph> graph) throws Exception {
    return ProcessScene.of(
        tck,
        ProcessScene.configuration(graph),
        bus -> bus.send("Credit", QUEUE).replyTo(REPLIES).owner("bank"),
        builder -> builder);
  }

  @Test
  void aCommandThatIsDeliveredAfterItsUndoIsNotHandled(StoreUnderTest tck) throws Exception {
    ProcessScene scene = creditElsewhere(tck, ProcessScenarioContract::limited);
    UUID id = scene.run("payment-1");
    scene.advance(LIMIT.plusSeconds(1));
    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(scene.calls).containsExactly("Debit", "UndoCredit", "UndoDebit");
    List<String> log = scene.log(id);
    List<String> delivered = Collections.synchronizedList(new ArrayList<>());

    deliverAll(tck, scene, delivered);
    scene.runAll();

    assertThat(delivered).as("the broker had it all the time").contains("Credit");
    assertThat(scene.calls).doesNotContain("Credit");
    assertThat(scene.log(id)).isEqualTo(log);
    scene.endsAs(id, ProcessStatus.COMPENSATED);
  }

  /** A service with its own database does not know that its step was undone, only the deadline. */
  @Test
  void aCommandOfAnotherServiceThatComesAfterItsDeadlineIsNotHandled(StoreUnderTest tck)
      throws Exception {
    ProcessScene scene = ProcessScene.of(tck, ProcessScenarioContract::limited);
    UUID theirs = UUID.randomUUID();
    tck.append(
        Message.command("Credit")
            .to(QUEUE)
            .key("payment-9")
            .json("{\"account\":\"a-1\"}")
            .header("command-id", theirs.toString())
            .header("idempotency-key", theirs + ":Credit")
            .header("reply-to", "THEIR.REPLY.Q")
            .header("command-deadline", "2026-01-01T00:00:00Z")
            .build());
    List<String> delivered = Collections.synchronizedList(new ArrayList<>());

    deliverAll(tck, scene, delivered);
    scene.advance(Duration.ofSeconds(1));

    assertThat(delivered).containsExactly("Credit");
    assertThat(scene.calls).isEmpty();
    assertThat(scene.manager().bus().findReply(theirs))
        .hasValueSatisfying(reply -> assertThat(reply).isInstanceOf(CommandReply.TimedOut.class));
  }

  private static ProcessGraph limited(ProcessGraphBuilder process) {
    return process
        .startWith(DebitCommand.class)
        .withCompensation(UndoDebitCommand.class)
        .then(CreditCommand.class)
        .withCompensation(UndoCreditCommand.class)
        .withTimeout(LIMIT)
        .withRetry(StepRetry.none())
        .then(NotifyCommand.class)
        .end();
  }

  /** Hands all that is in the outbox to the inbox of this service. */
  private static void deliverAll(StoreUnderTest tck, ProcessScene scene, List<String> delivered)
      throws Exception {
    Handlers<Object> handlers =
        scene
            .manager()
            .bus()
            .receive(
                Handlers.<Object>builder()
                    .onAny("effects", "effects", (message, context) -> {})
                    .onAny("THEIR.REPLY.Q", "the other service", (message, context) -> {})
                    .onAny(QUEUE, "witness", (message, context) -> delivered.add(message.type())),
                Map.of("Credit", QUEUE))
            .build();
    Inbox<Object> inbox =
        tck.closedAtEnd(
            Inbox.builder(tck.inbox(), handlers)
                .transactions(scene.commands().transactions())
                .build());
    OutboxRelay relay =
        Relays.relay(tck, tck.store(), inbox.localSender(), Relays.options().withBreakAfter(0));
    Relays.drain(relay);
  }

  /**
   * A node died with a command in its hands; timers are due and undos wait. While another recovers
   * all that, its database goes away in two of five units.
   */
  @Test
  void aDatabaseThatGoesAwayDuringRecoveryLosesNothing(StoreUnderTest tck) throws Exception {
    ProcessConfiguration configuration =
        ProcessScene.configuration(ProcessScenarioContract::cooledOff);
    ProcessScene scene = ProcessScene.of(tck, configuration);
    scene.when("Notify", ProcessScenarioContract::refusedForSome);
    List<UUID> ids = new ArrayList<>();
    for (String key : List.of("payment-1", "refused-1", "payment-2")) {
      ids.add(scene.run(key));
    }
    scene.advance(Duration.ofHours(2));
    scene.endsAs(ids.get(1), ProcessStatus.COMPENSATED);
    for (String key : List.of("payment-3", "refused-2", "payment-4")) {
      ids.add(scene.run(key));
    }
    for (String key : List.of("payment-5", "refused-3")) {
      ids.add(scene.start(key));
    }
    assertThat(scene.commands().claim("dead", Set.of("Debit"), 10, Duration.ofMinutes(5)))
        .hasSize(2);
    FailingTransactions failing = new FailingTransactions(scene.store().transactions(), 200);
    BaseProcessManager<Object> another =
        tck.closedAtEnd(
            scene.node(
                configuration,
                bus -> bus.options(CommandOptions.defaults().withMaxAttempts(1_000)),
                builder -> builder.transactions(failing)));

    for (int round = 0; round < 300 && isAnyActive(scene, ids); round++) {
      tck.advance(Duration.ofMinutes(5));
      try {
        int unusedTaken = another.runOnce();
        int unusedLookedAt = another.reconcile();
      } catch (PostroadException gone) {
        // As a loop would: it is tried again.
      }
    }

    assertThat(failing.units())
        .as("it failed until the recovery was well under way")
        .isGreaterThan(60);
    for (UUID id : ids) {
      boolean isRefused = scene.instance(id).businessKey().startsWith("refused");
      scene.endsAs(id, isRefused ? ProcessStatus.COMPENSATED : ProcessStatus.SUCCEEDED);
      assertThat(scene.log(id))
          .containsOnlyOnce(
              "StepCompleted Debit",
              "WaitCompleted cooling-off",
              "StepCompleted Convert",
              "StepCompleted Credit",
              "BranchesJoined join-1",
              isRefused ? "CompensationCompleted Debit" : "ProcessCompleted");
    }
    List<String> effects = scene.effects();
    for (String step : List.of("Debit", "Convert", "Credit")) {
      assertThat(Collections.frequency(effects, step)).as(step).isEqualTo(8);
      assertThat(Collections.frequency(effects, "Undo" + step)).as("Undo" + step).isEqualTo(3);
    }
    assertThat(Collections.frequency(effects, "Notify")).isEqualTo(5);
  }

  private static boolean isAnyActive(ProcessScene scene, List<UUID> ids) {
    return ids.stream().anyMatch(id -> scene.status(id).isActive());
  }

  private static Map<String, Object> refusedForSome(CommandContext<Object> context) {
    if (context.businessKey().startsWith("refused")) {
      throw new IllegalStateException("no address");
    }
    return Map.of();
  }

  private static ProcessGraph cooledOff(ProcessGraphBuilder process) {
    return process
        .startWith(DebitCommand.class)
        .withCompensation(UndoDebitCommand.class)
        .thenWait("cooling-off", Duration.ofHours(1))
        .thenParallel()
        .branch(ConvertCommand.class)
        .withCompensation(UndoConvertCommand.class)
        .branch(CreditCommand.class)
        .withCompensation(UndoCreditCommand.class)
        .joinAt(NotifyCommand.class)
        .end();
  }

  /** The database is five minutes ahead of the node; its clock is the one that counts. */
  @Test
  void timersAndTimeoutsDoNotFollowTheClockOfANode(StoreUnderTest tck) throws Exception {
    tck.advance(Duration.ofMinutes(5));
    ProcessScene scene =
        creditElsewhere(
            tck,
            process ->
                process
                    .startWith(DebitCommand.class)
                    .withCompensation(UndoDebitCommand.class)
                    .thenWait("cooling-off", LIMIT)
                    .then(CreditCommand.class)
                    .withTimeout(LIMIT)
                    .withRetry(StepRetry.none())
                    .end());
    Instant before = scene.store().now();
    UUID id = scene.run("payment-1");
    scene.advance(Duration.ofMinutes(1));
    assertThat(scene.log(id)).endsWith("WaitStarted cooling-off");

    scene.advance(LIMIT);
    assertThat(scene.log(id)).endsWith("WaitCompleted cooling-off", "StepStarted Credit");
    scene.advance(Duration.ofMinutes(1));
    assertThat(scene.log(id)).endsWith("StepStarted Credit");
    scene.advance(LIMIT);

    assertThat(scene.log(id)).contains("StepTimedOut Credit");
    scene.endsAs(id, ProcessStatus.COMPENSATED);
    assertThat(Processes.logOf(scene.store(), id))
        .extracting(ProcessLogEntry::createdAt)
        .allSatisfy(at -> assertThat(at).isBetween(before, scene.store().now().plusSeconds(1)));
  }
}
