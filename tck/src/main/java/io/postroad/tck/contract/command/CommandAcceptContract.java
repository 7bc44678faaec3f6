package io.postroad.tck.contract.command;

import static io.postroad.tck.contract.command.Commands.accept;
import static io.postroad.tck.contract.command.Commands.claim;
import static io.postroad.tck.contract.command.Commands.command;
import static io.postroad.tck.contract.command.Commands.elsewhere;
import static io.postroad.tck.contract.command.Commands.find;
import static io.postroad.tck.contract.command.Commands.finish;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.postroad.message.MessageIds;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandEnds;
import io.postroad.spi.CommandQueue.Acceptance;
import io.postroad.spi.CommandStore;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.store.CommandStatus;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.scene.Samples;
import io.postroad.transaction.NoTransactionException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is accepted is there once its transaction has committed, and once for each key. */
@StoreContract
@OrderedOnly
public final class CommandAcceptContract {

  @Test
  void comesBackAsItWasSubmitted(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    Instant later = store.now().plusSeconds(90).truncatedTo(ChronoUnit.MILLIS);
    NewCommand full =
        new NewCommand(
            MessageIds.next(),
            "Create.Order_v-2" + "x".repeat(104),
            "k\u00e4 ' \"$\\%\u4f60\ud83d\ude00" + "y".repeat(240),
            "b".repeat(255),
            new NewCommand.Body(
                "{\"a\":\"\u00e4\ud83d\ude00 ' $x\",\"n\":123456789012345678901234567890.10}",
                "f".repeat(64),
                Map.of("tenant", "", "traceparent", "00-ab", "odd.name", "\u00e4")),
            new NewCommand.Route(
                MessageIds.next(),
                Optional.of("APP.CMD.CREATEORDER.Q"),
                Optional.of("APP.CMD.REPLY.Q")),
            new NewCommand.Times(Optional.of(later), Optional.of(Duration.ofSeconds(30)), true));

    Acceptance acceptance = accept(store, full);

    assertThat(acceptance.isNew()).isTrue();
    StoredCommand stored = find(store, full.id());
    assertThat(acceptance.command()).isEqualTo(stored);
    assertThat(stored.command()).isEqualTo(full);
    assertThat(stored.status()).isEqualTo(CommandStatus.PENDING);
    assertThat(stored.attempt()).isZero();
    assertThat(stored.deadline()).contains(stored.createdAt().plusSeconds(30));
    assertThat(stored.dueAt()).as("handled elsewhere").isEmpty();
    assertThat(stored.outcome()).isEmpty();
    assertThat(store.findByKey(full.idempotencyKey())).contains(stored);
  }

  @Test
  void theSameKeyGetsTheFirstCommand(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand first = command("process-123:CreateOrder");
    accept(store, first);

    Acceptance again = accept(tck.commands(), command("process-123:CreateOrder"));
    Acceptance otherType = accept(store, Commands.ofType("Other", "process-123:CreateOrder"));

    assertThat(again.isNew()).isFalse();
    assertThat(again.command()).isEqualTo(find(store, first.id()));
    assertThat(otherType.isNew()).isFalse();
    assertThat(otherType.command().id()).isEqualTo(first.id());
    assertThat(claim(store, 10)).hasSize(1);
  }

  @Test
  void theSameKeyAfterItEndedTellsHow(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim claim = Commands.acceptAndClaim(store, command("key-1"));
    assertThat(finish(store, claim, Commands.COMPLETED)).isTrue();

    Acceptance again = accept(store, command("key-1"));

    assertThat(again.isNew()).isFalse();
    assertThat(again.command().id()).isEqualTo(claim.id());
    assertThat(again.command().status()).isEqualTo(CommandStatus.COMPLETED);
    assertThat(again.command().outcome()).contains(Commands.COMPLETED);
    assertThat(claim(store, 10)).isEmpty();
  }

  @Test
  void ofSixtyFourCallersWithOneKeyOneIsNewAndAllGetItsId(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();

    List<Acceptance> answers = tck.together(64, () -> accept(store, command("one key")));

    assertThat(answers.stream().filter(Acceptance::isNew)).hasSize(1);
    assertThat(answers.stream().map(answer -> answer.command().id()).distinct()).hasSize(1);
    assertThat(claim(store, 10)).hasSize(1);
  }

  @Test
  void anAcceptOfAKeyThatAnOpenTransactionHasWaitsForItsEnd(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    UserTransaction open = tck.begin();
    NewCommand first = command("key-1");
    assertThat(store.accept(open.handle(), first).isNew()).isTrue();

    var second = tck.async(() -> accept(store, command("key-1")));
    open.commit();

    assertThat(StoreUnderTest.get(second).command().id()).isEqualTo(first.id());
  }

  @Test
  void aRollbackLeavesNothingAndTheKeyIsFree(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    UserTransaction transaction = tck.begin();
    NewCommand first = command("key-1");
    assertThat(store.accept(transaction.handle(), first).isNew()).isTrue();
    assertThat(store.find(first.id())).as("before the commit").isEmpty();
    assertThat(claim(store, 10)).as("before the commit").isEmpty();
    transaction.rollback();

    assertThat(store.find(first.id())).isEmpty();
    assertThat(accept(store, command("key-1")).isNew()).isTrue();
  }

  @Test
  void twiceInOneTransactionIsOnce(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    UserTransaction transaction = tck.begin();
    NewCommand first = command("key-1");
    assertThat(store.accept(transaction.handle(), first).isNew()).isTrue();
    Acceptance again = store.accept(transaction.handle(), command("key-1"));
    assertThat(store.accept(transaction.handle(), command("key-2")).isNew()).isTrue();
    transaction.commit();

    assertThat(again.isNew()).isFalse();
    assertThat(again.command().id()).isEqualTo(first.id());
    assertThat(claim(store, 10)).hasSize(2);
  }

  @Test
  void aKnownKeyLeavesATransactionThatCanGoOn(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    accept(store, command("key-1"));

    UserTransaction transaction = tck.begin();
    assertThat(store.accept(transaction.handle(), command("key-1")).isNew()).isFalse();
    assertThat(store.accept(transaction.handle(), command("key-2")).isNew()).isTrue();
    transaction.commit();

    assertThat(claim(store, 10)).hasSize(2);
  }

  @Test
  void aCommandForElsewhereIsNeverClaimed(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    accept(store, elsewhere(command("key-1"), "APP.CMD.CREATEORDER.Q"));
    tck.advance(Duration.ofDays(400));

    assertThat(claim(store, 10)).isEmpty();
  }

  @Test
  void aCommandAcceptedAsTakenCannotBeClaimedUntilItsLeaseIsOver(StoreUnderTest tck)
      throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand submitted = Commands.within("key-1", Duration.ofMinutes(1));

    Acceptance acceptance = Commands.acceptTaken(store, submitted);

    assertThat(acceptance.isNew()).isTrue();
    StoredCommand stored = find(store, submitted.id());
    assertThat(acceptance.command()).isEqualTo(stored);
    assertThat(stored.status()).isEqualTo(CommandStatus.PROCESSING);
    assertThat(stored.attempt()).isEqualTo(1);
    assertThat(stored.owner()).contains("node-1");
    assertThat(stored.dueAt()).contains(stored.since().orElseThrow().plus(Commands.LEASE));
    CommandClaim claim = acceptance.claim().orElseThrow();
    assertThat(claim.command()).isEqualTo(submitted);
    assertThat(claim.attempt()).isEqualTo(1);
    assertThat(claim.timeLeft()).contains(Duration.ofMinutes(1));
    assertThat(claim(store, 10)).isEmpty();
    tck.advance(Commands.LEASE.plusSeconds(1));

    CommandClaim second = claim(store, 10).get(0);
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(second.token()).isGreaterThan(claim.token());
    assertThat(Commands.open(store, claim)).isEqualTo(CommandEnds.Opening.LOST);
  }

  @Test
  void acceptedAsTakenIsAClaimLikeOthers(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim ends = Commands.acceptTaken(store, command("key-1")).claim().orElseThrow();
    CommandClaim fails = Commands.acceptTaken(store, command("key-2")).claim().orElseThrow();
    CommandClaim returns = Commands.acceptTaken(store, command("key-3")).claim().orElseThrow();

    assertThat(Commands.open(store, ends)).isEqualTo(CommandEnds.Opening.HELD);
    assertThat(finish(store, ends, Commands.COMPLETED)).isTrue();
    assertThat(store.retry(fails, Duration.ofSeconds(30), "deadlock")).isTrue();
    assertThat(store.release(List.of(ends, fails, returns))).containsExactly(returns.id());

    assertThat(find(store, ends.id()).outcome()).contains(Commands.COMPLETED);
    assertThat(find(store, returns.id()).attempt()).isZero();
    List<CommandClaim> due = claim(store, 10);
    assertThat(due).extracting(CommandClaim::id).containsExactly(returns.id());
    assertThat(due.get(0).token()).isGreaterThan(returns.token());
    tck.advance(Duration.ofSeconds(31));
    assertThat(claim(store, 10)).extracting(CommandClaim::attempt).containsExactly(2);
  }

  @Test
  void aKnownKeyGivesNoClaim(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand first = command("key-1");
    accept(store, first);

    Acceptance again = Commands.acceptTaken(store, command("key-1"));

    assertThat(again.isNew()).isFalse();
    assertThat(again.claim()).isEmpty();
    assertThat(again.command().id()).isEqualTo(first.id());
    assertThat(claim(store, 10)).as("still queued").hasSize(1);
  }

  @Test
  void aRollbackLeavesNothingOfWhatWasAcceptedAsTaken(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    UserTransaction transaction = tck.begin();
    NewCommand first = command("key-1");
    Acceptance acceptance =
        store.acceptTaken(transaction.handle(), first, "node-1", Commands.LEASE);
    assertThat(store.find(transaction.handle(), first.id())).contains(acceptance.command());
    assertThat(store.find(first.id())).as("before the commit").isEmpty();
    transaction.rollback();

    assertThat(store.find(first.id())).isEmpty();
    assertThat(Commands.open(store, acceptance.claim().orElseThrow()))
        .isEqualTo(CommandEnds.Opening.LOST);
    assertThat(accept(store, command("key-1")).isNew()).isTrue();
  }

  @Test
  void aSentOrDelayedCommandCannotBeAcceptedAsTaken(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Commands.acceptTaken(store, elsewhere(command("key-1"), "APP.CMD.CREATEORDER.Q")))
        .withMessageContaining("destination");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Commands.acceptTaken(store, Commands.notBefore("key-1", Instant.EPOCH)))
        .withMessageContaining("notBefore");
    assertThat(store.findByKey("key-1")).isEmpty();
  }

  @Test
  void refusesWhatIsNoTransaction(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    Object none = tck.notATransaction();
    UUID id = MessageIds.next();
    CommandClaim claim = Commands.acceptAndClaim(store, command("key-1"));

    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> store.accept(none, command("key-2")));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> store.acceptTaken(none, command("key-2"), "node-1", Commands.LEASE));
    assertThatExceptionOfType(NoTransactionException.class).isThrownBy(() -> store.find(none, id));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> store.recall(none, id, Commands.COMPLETED));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> store.open(none, claim, Commands.LONGEST));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> store.finish(none, claim, Commands.COMPLETED));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> store.cancel(none, id, Commands.COMPLETED));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> store.reply(none, id, Commands.COMPLETED));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> store.expire(none, Commands.COMPLETED, 1, List.of()));
    assertThat(store.findByKey("key-2")).isEmpty();
    assertThat(find(store, claim.id()).status()).isEqualTo(CommandStatus.PROCESSING);
  }

  @Test
  void acceptedAndAppendedAreOneCommit(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    UserTransaction transaction = tck.begin();
    store.accept(transaction.handle(), command("key-1"));
    var unused = transaction.append(Samples.ordered("customer-1"));
    transaction.rollback();
    assertThat(tck.receive()).isEmpty();
    assertThat(store.findByKey("key-1")).isEmpty();

    UserTransaction second = tck.begin();
    store.accept(second.handle(), command("key-1"));
    var unusedToo = second.append(Samples.ordered("customer-1"));
    second.commit();
    assertThat(tck.receive()).hasSize(1);
    assertThat(store.findByKey("key-1")).isPresent();
  }

  @Test
  void aSignalReachesThisNode(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    var heard = new java.util.concurrent.CountDownLatch(1);
    try (var subscription = store.wakeUps().subscribe(heard::countDown)) {
      store.wakeUps().signal();
      assertThat(heard.await(60, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
    }
  }
}
