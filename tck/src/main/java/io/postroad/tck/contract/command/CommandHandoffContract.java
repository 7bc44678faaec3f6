package io.postroad.tck.contract.command;

import static io.postroad.tck.contract.command.Commands.COMPLETED;
import static io.postroad.tck.contract.command.Commands.LEASE;
import static io.postroad.tck.contract.command.Commands.accept;
import static io.postroad.tck.contract.command.Commands.claim;
import static io.postroad.tck.contract.command.Commands.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.postroad.spi.ChangedMeanwhileException;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandEnds.Opening;
import io.postroad.spi.CommandQueue;
import io.postroad.spi.CommandStore;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.store.CommandStatus;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Commands that are handed off in memory: their row is written when they end. */
@StoreContract
@OrderedOnly
public final class CommandHandoffContract {

  /** A store with a handoff; each handler accepts a command, which is committed with its own. */
  private static final class Scene {
    final CommandStore<Object> store;
    final Transactions<Object> units;
    final CommandQueue.Handoff<Object> handoff;

    Scene(StoreUnderTest tck) throws Exception {
      store = tck.commands();
      units = store.transactions();
      assumeTrue(
          store.handoff().isPresent(), () -> store.name() + " hands off no commands in memory");
      handoff = store.handoff().orElseThrow();
      boolean isPossible =
          units.call(transaction -> units.lastTogether(transaction, handoff::isPossible));
      assertThat(isPossible).as("in the last work of a unit").isTrue();
    }

    void handle(CommandClaim claim) {
      units.run(
          transaction -> {
            boolean isNew = store.accept(transaction, command("effect")).isNew();
            assertThat(isNew).isTrue();
            boolean held =
                units.lastTogether(transaction, unit -> store.finish(unit, claim, COMPLETED));
            assertThat(held).isTrue();
          });
    }

    boolean hasEffect() {
      return store.findByKey("effect").isPresent();
    }

    Optional<CommandClaim> write(NewCommand command, Duration leaseFor) {
      return handoff.write(command, "node-1", leaseFor);
    }
  }

  @Test
  void itsEndWritesItsRow(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    NewCommand command = command("key-1");

    scene.handle(CommandClaim.handedOff(command));

    StoredCommand ended = scene.store.find(command.id()).orElseThrow();
    assertThat(ended.command()).isEqualTo(command);
    assertThat(ended.status()).isEqualTo(CommandStatus.COMPLETED);
    assertThat(ended.outcome()).contains(COMPLETED);
    assertThat(ended.attempt()).isEqualTo(1);
    assertThat(ended.owner()).isEmpty();
    assertThat(ended.createdAt()).isBeforeOrEqualTo(ended.finishedAt().orElseThrow());
    assertThat(scene.hasEffect()).isTrue();
    assertThat(claim(scene.store, 10))
        .extracting(taken -> taken.command().idempotencyKey())
        .containsExactly("effect");
  }

  /** Another node has written it, so the original node must not commit anything. */
  @Test
  void aCommandThatHasARowCannotBeInserted(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    CommandClaim claim = CommandClaim.handedOff(command("key-1"));
    assertThat(scene.write(claim.command(), Duration.ZERO)).isPresent();

    assertThatThrownBy(() -> scene.handle(claim)).isInstanceOf(ChangedMeanwhileException.class);

    assertThat(scene.hasEffect()).isFalse();
    assertThat(scene.store.find(claim.id()).orElseThrow().status())
        .isEqualTo(CommandStatus.PROCESSING);
  }

  @Test
  void aCommandWhoseKeyIsTakenCannotBeInserted(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    CommandClaim claim = CommandClaim.handedOff(command("key-1"));
    var unused = accept(scene.store, command("key-1"));

    assertThatThrownBy(() -> scene.handle(claim)).isInstanceOf(ChangedMeanwhileException.class);

    assertThat(scene.hasEffect()).isFalse();
    assertThat(scene.store.find(claim.id())).isEmpty();
  }

  @Test
  void aWrittenCommandIsLikeOneThatWasAcceptedAsTaken(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    CommandStore<Object> store = scene.store;
    CommandClaim ends = scene.write(command("key-1"), LEASE).orElseThrow();
    CommandClaim fails = scene.write(command("key-2"), LEASE).orElseThrow();
    CommandClaim returns = scene.write(command("key-3"), LEASE).orElseThrow();
    assertThat(ends.isHandedOff()).isFalse();
    assertThat(claim(store, 10)).isEmpty();

    assertThat(Commands.open(store, ends)).isEqualTo(Opening.HELD);
    assertThat(Commands.finish(store, ends, COMPLETED)).isTrue();
    assertThat(store.retry(fails, Duration.ZERO, "busy")).isTrue();
    assertThat(store.release(List.of(returns))).containsExactly(returns.id());

    assertThat(store.find(ends.id()).orElseThrow().status()).isEqualTo(CommandStatus.COMPLETED);
    assertThat(claim(store, 10))
        .extracting(CommandClaim::id, CommandClaim::attempt)
        .containsExactlyInAnyOrder(tuple(fails.id(), 2), tuple(returns.id(), 1));
  }

  /** The attempt that did not come back counts. */
  @Test
  void aWrittenCommandThatIsReturnedIsForAnyNode(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    NewCommand command = command("key-1");
    CommandClaim late = scene.write(command, LEASE).orElseThrow();
    assertThat(scene.store.retry(late, Duration.ZERO, "its node did not come back")).isTrue();

    CommandClaim claim = claim(scene.store, 10).get(0);

    assertThat(claim.command()).isEqualTo(command);
    assertThat(claim.attempt()).isEqualTo(2);
    assertThat(Commands.finish(scene.store, late, COMPLETED)).as("fenced off").isFalse();
  }

  @Test
  void itIsWrittenOnce(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    CommandClaim done = CommandClaim.handedOff(command("key-1"));
    scene.handle(done);
    NewCommand written = command("key-2");
    assertThat(scene.write(written, LEASE)).isPresent();
    var unused = accept(scene.store, command("key-3"));

    assertThat(scene.write(done.command(), LEASE)).as("its id").isEmpty();
    assertThat(scene.write(written, Duration.ZERO)).as("its id").isEmpty();
    assertThat(scene.write(command("key-3"), Duration.ZERO)).as("its key").isEmpty();

    assertThat(scene.store.find(done.id()).orElseThrow().status())
        .isEqualTo(CommandStatus.COMPLETED);
    assertThat(scene.store.find(written.id()).orElseThrow().attempt()).isEqualTo(1);
  }

  @Test
  void aCommandThatIsSentCannotBeWritten(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    NewCommand elsewhere = Commands.elsewhere(command("key-1"), "APP.CMD.CREATEORDER.Q");

    assertThatThrownBy(() -> scene.write(elsewhere, LEASE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(elsewhere.id().toString());

    assertThat(scene.store.find(elsewhere.id())).isEmpty();
  }
}
