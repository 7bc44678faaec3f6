package io.postroad.tck.contract.process;

import static io.postroad.tck.contract.command.Commands.COMPLETED;
import static io.postroad.tck.contract.command.Commands.LEASE;
import static io.postroad.tck.contract.command.Commands.TYPE;
import static io.postroad.tck.contract.command.Commands.command;
import static io.postroad.tck.contract.process.Processes.change;
import static io.postroad.tck.contract.process.Processes.find;
import static io.postroad.tck.contract.process.Processes.fire;
import static io.postroad.tck.contract.process.Processes.log;
import static io.postroad.tck.contract.process.Processes.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.MessageIds;
import io.postroad.message.PostroadException;
import io.postroad.spi.ChangedMeanwhileException;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandLostException;
import io.postroad.spi.CommandQueue.Acceptance;
import io.postroad.spi.CommandStore;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredProcess;
import io.postroad.store.CommandStatus;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.transaction.Transactions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * The last writes of a transaction may be sent together with the commit, all or nothing all the
 * same. Each test has a row that was written before, which shares the fate of the rest.
 */
@StoreContract
@OrderedOnly
public final class BatchedCommitContract {

  /** A step of a process as a node goes on with it: one command ends, the next is taken. */
  private static final class Step {
    final ProcessStore<Object> processes;
    final CommandStore<Object> commands;
    final Transactions<Object> units;
    final StoredProcess first;
    final StoredProcess moved;
    final CommandClaim claim;
    final NewCommand next;
    final StoredProcess before;

    Step(StoreUnderTest tck) throws Exception {
      this(tck, ProcessSample.of(tck.processes()), sample -> sample, "");
    }

    /** From a process that stands so, to one that has moved and is changed so. */
    Step(StoreUnderTest tck, ProcessSample from, UnaryOperator<ProcessSample> to, String name)
        throws Exception {
      processes = tck.processes();
      commands = tck.commands();
      units = processes.transactions();
      first = started(processes, from);
      moved = to.apply(ProcessSample.from(first).step("moved").lastSeq(3)).build();
      next = command("next" + name);
      NewCommand running = command("running" + name);
      Acceptance unused = units.call(transaction -> commands.accept(transaction, running));
      claim = commands.claim("node-1", Set.of(TYPE), 1, LEASE).get(0);
      before = ProcessSample.of(processes).key("before" + name).build();
    }

    /** The row that a handler would have written. */
    void handle(Object transaction) {
      assertThat(processes.processes().start(transaction, before, log(before))).isEmpty();
    }

    Acceptance end(Object transaction) {
      if (!commands.finish(transaction, claim, COMPLETED)) {
        throw new CommandLostException("the claim does not hold");
      }
      processes.processes().saveKnown(transaction, 1, moved, log(moved, 2, 3));
      return commands.acceptTaken(transaction, next, "node-1", LEASE);
    }

    Acceptance run() {
      return units.call(
          transaction -> {
            handle(transaction);
            return units.lastTogether(transaction, this::end);
          });
    }

    void requireDone() {
      assertThat(processes.queries().find(before.id())).isPresent();
      assertThat(processes.queries().find(moved.id()).orElseThrow().summary().currentStep())
          .isEqualTo("moved");
      assertThat(processes.queries().log(moved.id(), 0, 10)).hasSize(3);
      assertThat(commands.find(claim.id()).orElseThrow().status())
          .isEqualTo(CommandStatus.COMPLETED);
    }

    void requireNothing() {
      assertThat(processes.queries().find(before.id())).isEmpty();
      assertThat(processes.queries().find(moved.id()).orElseThrow().summary().currentStep())
          .isNotEqualTo("moved");
      assertThat(commands.find(claim.id()).orElseThrow().status())
          .isNotEqualTo(CommandStatus.COMPLETED);
      assertThat(commands.find(next.id())).isEmpty();
      assertThat(units.current()).isEmpty();
    }
  }

  @Test
  void theBatchIsCommittedWithTheEarlierWrites(StoreUnderTest tck) throws Exception {
    Step step = new Step(tck);

    Acceptance acceptance = step.run();

    step.requireDone();
    StoredCommand next = step.commands.find(step.next.id()).orElseThrow();
    assertThat(next.status()).isEqualTo(CommandStatus.PROCESSING);
    assertThat(next.owner()).contains("node-1");
    assertThat(next.attempt()).isEqualTo(1);
    assertThat(acceptance.isNew()).isTrue();
    CommandClaim taken = acceptance.claim().orElseThrow();
    boolean held =
        step.units.call(transaction -> step.commands.finish(transaction, taken, COMPLETED));
    assertThat(held).as("the claim that was handed out is the one that holds").isTrue();
  }

  /** Checks values that a store does not send because they are defaults. */
  @Test
  void nothingStaysOfHowTheProcessStoodBefore(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> processes = tck.processes();
    StoredProcess plain = ProcessSample.of(processes).build();
    ProcessSample waiting =
        ProcessSample.from(plain)
            .active("COMPENSATING")
            .retries(2)
            .paused(true)
            .failure("STEP_FAILED", "no funds")
            .due(plain.identity().createdAt().plusSeconds(60));
    Step step =
        new Step(
            tck,
            waiting,
            sample -> ProcessSample.from(plain).step("moved").data("{\"n\":1}").lastSeq(3),
            "");

    Acceptance unused = step.run();

    step.requireDone();
    assertThat(find(processes, plain.id())).isEqualTo(step.moved);
    tck.advance(Duration.ofSeconds(61));
    assertThat(fire(processes)).as("the timer").isEmpty();
  }

  @Test
  void allOfHowTheProcessStandsNowIsThere(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> processes = tck.processes();
    ProcessSample plain = ProcessSample.of(processes);
    Instant due = processes.now().plusSeconds(60);
    List<UnaryOperator<ProcessSample>> each =
        List.of(
            sample -> sample.active("COMPENSATING"),
            sample -> sample.ended("SUCCEEDED"),
            sample -> sample.retries(2),
            sample -> sample.paused(true),
            sample -> sample.failure("STEP_FAILED", "no funds"),
            sample -> sample.due(due));
    for (int i = 0; i < each.size(); i++) {
      Step step = new Step(tck, plain.id(MessageIds.next()).key("k" + i), each.get(i), "step-" + i);

      Acceptance unused = step.run();

      assertThat(find(processes, step.moved.id())).isEqualTo(step.moved);
    }
  }

  @Test
  void whatIsToRunAfterTheCommitRunsOnceAndSeesAll(StoreUnderTest tck) throws Exception {
    Step step = new Step(tck);
    List<Boolean> seen = new ArrayList<>();

    step.units.run(
        transaction -> {
          step.handle(transaction);
          var unused =
              step.units.lastTogether(
                  transaction,
                  unit -> {
                    step.units.afterCommit(
                        () -> seen.add(step.commands.find(step.next.id()).isPresent()));
                    return step.end(unit);
                  });
        });

    assertThat(seen).containsExactly(true);
  }

  @Test
  void nothingOfItIsThereIfTheProcessWasChanged(StoreUnderTest tck) throws Exception {
    Step step = new Step(tck);
    StoredProcess unused = change(step.processes, step.first.id(), sample -> sample.step("theirs"));

    assertThatThrownBy(step::run).isInstanceOf(ChangedMeanwhileException.class);

    step.requireNothing();
    assertThat(step.processes.queries().log(step.moved.id(), 0, 10)).hasSize(2);
  }

  @Test
  void nothingOfItIsThereIfTheProcessIsGone(StoreUnderTest tck) throws Exception {
    Step step = new Step(tck);
    StoredProcess ended =
        change(step.processes, step.first.id(), sample -> sample.ended("SUCCEEDED"));
    tck.advance(Duration.ofDays(8));
    assertThat(step.processes.purge(Duration.ofDays(7), 10)).isEqualTo(1);
    assertThat(step.processes.queries().find(ended.id())).isEmpty();

    assertThatThrownBy(step::run).isInstanceOf(ChangedMeanwhileException.class);

    assertThat(step.processes.queries().find(step.before.id())).isEmpty();
    assertThat(step.commands.find(step.next.id())).isEmpty();
    assertThat(step.processes.queries().log(ended.id(), 0, 10)).isEmpty();
  }

  @Test
  void nothingOfItIsThereIfAnotherHasTheCommand(StoreUnderTest tck) throws Exception {
    Step step = new Step(tck);
    tck.advance(LEASE.plusSeconds(1));
    assertThat(step.commands.claim("node-2", Set.of(TYPE), 1, LEASE)).hasSize(1);

    assertThatThrownBy(step::run)
        .isInstanceOfAny(CommandLostException.class, ChangedMeanwhileException.class);

    step.requireNothing();
  }

  /** A store returns the process with the key, or throws so that the caller looks for it. */
  @Test
  void aKeyThatIsTakenIsNotOverlooked(StoreUnderTest tck) throws Exception {
    Step step = new Step(tck);
    NewCommand theirs = command("next");
    Acceptance first = step.units.call(transaction -> step.commands.accept(transaction, theirs));
    assertThat(first.isNew()).isTrue();

    try {
      Acceptance second = step.run();
      assertThat(second.isNew()).isFalse();
      assertThat(second.command().id()).isEqualTo(theirs.id());
    } catch (ChangedMeanwhileException unknown) {
      step.requireNothing();
    }

    assertThat(step.commands.find(step.next.id())).isEmpty();
  }

  @Test
  void whatThrowsInsideRollsBackAll(StoreUnderTest tck) throws Exception {
    Step step = new Step(tck);

    assertThatThrownBy(
            () ->
                step.units.<Object, IOException>call(
                    transaction -> {
                      step.handle(transaction);
                      return step.units.<Object, IOException>lastTogether(
                          transaction,
                          unit -> {
                            var unused = step.end(unit);
                            throw new IOException("at the very end");
                          });
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("at the very end");

    step.requireNothing();
  }

  /** It is not for an inner unit to say what the outer one does last. */
  @Test
  void inAnInnerUnitItIsNotTheLast(StoreUnderTest tck) throws Exception {
    Step step = new Step(tck);

    assertThatThrownBy(
            () ->
                step.units.<Object, IOException>call(
                    transaction -> {
                      Acceptance unused = step.run();
                      throw new IOException("after the inner unit");
                    }))
        .isInstanceOf(IOException.class);

    step.requireNothing();
  }

  @Test
  void aFailureOfAnInnerUnitIsNotCommittedOver(StoreUnderTest tck) throws Exception {
    Step step = new Step(tck);

    assertThatThrownBy(
            () ->
                step.units.run(
                    transaction -> {
                      assertThatThrownBy(
                              () ->
                                  step.units.run(
                                      joined -> {
                                        throw new IOException("inner");
                                      }))
                          .isInstanceOf(IOException.class);
                      step.handle(transaction);
                      var unused = step.units.lastTogether(transaction, step::end);
                    }))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("rolled back");

    step.requireNothing();
  }
}
