package io.postroad.tck.contract.command;

import static io.postroad.tck.contract.command.Commands.accept;
import static io.postroad.tck.contract.command.Commands.acceptAndClaim;
import static io.postroad.tck.contract.command.Commands.cancel;
import static io.postroad.tck.contract.command.Commands.claim;
import static io.postroad.tck.contract.command.Commands.command;
import static io.postroad.tck.contract.command.Commands.elsewhere;
import static io.postroad.tck.contract.command.Commands.expire;
import static io.postroad.tck.contract.command.Commands.find;
import static io.postroad.tck.contract.command.Commands.finish;
import static io.postroad.tck.contract.command.Commands.mayBeLate;
import static io.postroad.tck.contract.command.Commands.open;
import static io.postroad.tck.contract.command.Commands.recall;
import static io.postroad.tck.contract.command.Commands.reply;
import static io.postroad.tck.contract.command.Commands.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.MessageIds;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandEnds.Opening;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.CommandStore;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.store.CommandStatus;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Commands that end without their handler: cancelled, timed out, handled elsewhere, forgotten. */
@StoreContract
@OrderedOnly
public final class CommandEndContract {
  private static final Duration SOON = Duration.ofSeconds(30);

  @Test
  void aQueuedCommandCanBeCancelled(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand queued = command("key-1");
    accept(store, queued);

    StoredCommand cancelled = cancel(store, queued.id()).orElseThrow();

    assertThat(cancelled).isEqualTo(find(store, queued.id()));
    assertThat(cancelled.status()).isEqualTo(CommandStatus.FAILED);
    assertThat(cancelled.outcome().map(CommandOutcome::code)).contains("CANCELLED");
    assertThat(claim(store, 10)).isEmpty();
    assertThat(cancel(store, queued.id())).as("twice").isEmpty();
    assertThat(cancel(store, MessageIds.next())).as("unknown").isEmpty();
  }

  @Test
  void aTakenCommandCannotBeCancelledUntilItsLeaseIsOver(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim claim = acceptAndClaim(store, command("key-1"));

    assertThat(cancel(store, claim.id())).isEmpty();
    tck.advance(Commands.LEASE.plusSeconds(1));
    assertThat(cancel(store, claim.id())).isPresent();
    assertThat(open(store, claim)).isEqualTo(Opening.LOST);
  }

  @Test
  void aCancellationThatRollsBackDidNotHappen(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand queued = command("key-1");
    accept(store, queued);

    UserTransaction transaction = tck.begin();
    CommandOutcome outcome = CommandOutcome.failed("CANCELLED", "not wanted");
    assertThat(store.cancel(transaction.handle(), queued.id(), outcome)).isPresent();
    transaction.rollback();

    assertThat(claim(store, 10)).hasSize(1);
  }

  @Test
  void aQueuedCommandCanBeRecalled(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand queued = command("key-1");
    accept(store, queued);
    CommandOutcome outcome = CommandOutcome.failed("CANCELLED", "not wanted");
    UserTransaction transaction = tck.begin();
    assertThat(store.recall(transaction.handle(), queued.id(), outcome)).isPresent();
    transaction.rollback();
    assertThat(find(store, queued.id()).status())
        .as("rolled back")
        .isEqualTo(CommandStatus.PENDING);

    StoredCommand recalled = recall(store, queued.id()).orElseThrow();

    assertThat(recalled).isEqualTo(find(store, queued.id()));
    assertThat(recalled.outcome()).contains(outcome);
    assertThat(claim(store, 10)).isEmpty();
    assertThat(recall(store, queued.id())).as("twice").isEmpty();
    assertThat(recall(store, MessageIds.next())).as("unknown").isEmpty();
  }

  @Test
  void aTakenCommandIsRecalledOnlyWhenItsLeaseIsOver(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim claim = acceptAndClaim(store, command("key-1"));

    assertThat(recall(store, claim.id())).isEmpty();
    tck.advance(Commands.LEASE.plusSeconds(1));
    assertThat(recall(store, claim.id())).isPresent();
    assertThat(open(store, claim)).isEqualTo(Opening.LOST);
  }

  @Test
  void aRecallDoesNotWaitForAHandler(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim claim = acceptAndClaim(store, command("key-1"));
    UserTransaction running = tck.begin();
    assertThat(store.open(running.handle(), claim, Commands.LONGEST)).isEqualTo(Opening.HELD);

    assertThat(StoreUnderTest.get(tck.async(() -> recall(store, claim.id())))).isEmpty();
    tck.advance(Commands.LEASE.plusSeconds(1));
    assertThat(StoreUnderTest.get(tck.async(() -> recall(store, claim.id()))))
        .as("also when it is slower than its lease")
        .isEmpty();

    assertThat(store.finish(running.handle(), claim, Commands.COMPLETED)).isTrue();
    running.commit();
    assertThat(find(store, claim.id()).outcome()).contains(Commands.COMPLETED);
  }

  @Test
  void aSentCommandCanBeRecalledHere(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand sent = elsewhere(command("key-1"), "APP.CMD.CREATEORDER.Q");
    accept(store, sent);

    assertThat(recall(store, sent.id())).isPresent();
    assertThat(reply(store, sent.id())).as("too late").isEmpty();
  }

  @Test
  void aCommandThatNoWorkerTookInTimeTimesOut(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand slow = within("key-1", SOON);
    accept(store, slow);
    accept(store, command("without a deadline"));
    assertThat(expire(store, 10)).as("before its deadline").isEmpty();
    tck.advance(SOON.plusSeconds(1));

    List<StoredCommand> expired = expire(store, 10);

    assertThat(expired).containsExactly(find(store, slow.id()));
    assertThat(expired.get(0).status()).isEqualTo(CommandStatus.FAILED);
    assertThat(expired.get(0).outcome())
        .hasValueSatisfying(
            outcome -> {
              assertThat(outcome.isTimedOut()).isTrue();
              assertThat(outcome.error()).contains("the deadline has passed");
            });
    assertThat(expire(store, 10)).as("once").isEmpty();
    assertThat(claim(store, 10)).as("the one without a deadline").hasSize(1);
  }

  @Test
  void noMoreTimeOutThanAsked(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    for (int i = 0; i < 5; i++) {
      accept(store, within("key-" + i, SOON));
    }
    tck.advance(SOON.plusSeconds(1));

    assertThat(expire(store, 3)).hasSize(3);
    assertThat(expire(store, 3)).hasSize(2);
    assertThat(expire(store, 3)).isEmpty();
  }

  @Test
  void aCommandThatCannotEndNowIsLeftOutAndDoesNotCount(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand first = within("key-1", SOON);
    accept(store, first);
    tck.advance(Duration.ofSeconds(1));
    NewCommand second = within("key-2", SOON);
    accept(store, second);
    tck.advance(SOON.plusSeconds(1));

    UserTransaction transaction = tck.begin();
    CommandOutcome outcome = CommandOutcome.timedOut("late");
    assertThat(store.expire(transaction.handle(), outcome, 1, List.of(first.id())))
        .extracting(StoredCommand::id)
        .containsExactly(second.id());
    transaction.commit();

    assertThat(expire(store, 10)).extracting(StoredCommand::id).containsExactly(first.id());
  }

  @Test
  void aCommandThatAnotherTransactionChangesIsLeftOutAndDoesNotCount(StoreUnderTest tck)
      throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand held = elsewhere(within("key-1", SOON), "APP.CMD.CREATEORDER.Q");
    accept(store, held);
    tck.advance(Duration.ofSeconds(1));
    NewCommand free = within("key-2", SOON);
    accept(store, free);
    tck.advance(SOON.plusSeconds(1));
    UserTransaction holder = tck.begin();
    assertThat(store.reply(holder.handle(), held.id(), Commands.COMPLETED)).isPresent();

    assertThat(StoreUnderTest.get(tck.async(() -> expire(store, 1))))
        .extracting(StoredCommand::id)
        .containsExactly(free.id());

    holder.rollback();
    assertThat(expire(store, 1)).extracting(StoredCommand::id).containsExactly(held.id());
  }

  @Test
  void aReplyThatDoesNotWaitLeavesWhatAnotherTransactionChanges(StoreUnderTest tck)
      throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand sent = elsewhere(command("key-1"), "APP.CMD.CREATEORDER.Q");
    NewCommand local = command("key-2");
    accept(store, sent);
    accept(store, local);
    UserTransaction holder = tck.begin();
    assertThat(store.reply(holder.handle(), sent.id(), Commands.COMPLETED)).isPresent();

    assertThat(StoreUnderTest.get(tck.async(() -> replyNow(store, sent.id())))).isEmpty();

    holder.rollback();
    StoredCommand ended = replyNow(store, sent.id()).orElseThrow();
    assertThat(ended).isEqualTo(find(store, sent.id()));
    assertThat(ended.outcome()).contains(Commands.COMPLETED);
    assertThat(replyNow(store, sent.id())).as("twice").isEmpty();
    assertThat(replyNow(store, local.id())).as("not sent anywhere").isEmpty();
    assertThat(replyNow(store, MessageIds.next())).as("unknown").isEmpty();
  }

  private static Optional<StoredCommand> replyNow(CommandStore<Object> store, UUID id) {
    return store
        .transactions()
        .<Optional<StoredCommand>, RuntimeException>call(
            transaction -> store.replyNow(transaction, id, Commands.COMPLETED));
  }

  @Test
  void aTimeoutThatRollsBackIsToldAgain(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    accept(store, within("key-1", SOON));
    accept(store, mayBeLate(within("key-2", SOON)));
    tck.advance(SOON.plusSeconds(1));

    UserTransaction transaction = tck.begin();
    CommandOutcome outcome = CommandOutcome.timedOut("late");
    assertThat(store.expire(transaction.handle(), outcome, 10, List.of())).hasSize(2);
    transaction.rollback();

    assertThat(expire(store, 10)).hasSize(2);
  }

  @Test
  void aCommandThatMayBeLateIsToldOnceAndStays(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand slow = mayBeLate(within("key-1", SOON));
    accept(store, slow);
    tck.advance(SOON.plusSeconds(1));

    assertThat(expire(store, 10)).extracting(StoredCommand::id).containsExactly(slow.id());
    assertThat(expire(store, 10)).isEmpty();
    assertThat(find(store, slow.id()).status()).isEqualTo(CommandStatus.PENDING);
    List<CommandClaim> claims = claim(store, 10);
    assertThat(claims).hasSize(1);
    assertThat(claims.get(0).timeLeft()).hasValueSatisfying(left -> assertThat(left).isNegative());
    assertThat(open(store, claims.get(0))).isEqualTo(Opening.LATE);
    assertThat(finish(store, claims.get(0), Commands.COMPLETED)).isTrue();
  }

  @Test
  void aWorkerIsToldThatItIsLate(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim claim = acceptAndClaim(store, within("key-1", SOON));
    assertThat(claim.timeLeft())
        .hasValueSatisfying(left -> assertThat(left).isPositive().isLessThanOrEqualTo(SOON));
    assertThat(open(store, claim)).isEqualTo(Opening.HELD);
    tck.advance(SOON.plusSeconds(1));

    assertThat(expire(store, 10)).as("a worker has it, and tells itself").isEmpty();
    assertThat(open(store, claim)).isEqualTo(Opening.LATE);
    assertThat(finish(store, claim, CommandOutcome.timedOut("late"))).isTrue();
    assertThat(find(store, claim.id()).outcome().map(CommandOutcome::isTimedOut)).contains(true);
  }

  @Test
  void theCommandOfACrashedWorkerTimesOutWithItsLease(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim claim = acceptAndClaim(store, within("key-1", SOON));
    tck.advance(Commands.LEASE.plusSeconds(1));

    assertThat(expire(store, 10)).extracting(StoredCommand::id).containsExactly(claim.id());
    assertThat(open(store, claim)).isEqualTo(Opening.LOST);
  }

  @Test
  void aReplyFromElsewhereEndsACommand(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand sent = elsewhere(command("key-1"), "APP.CMD.CREATEORDER.Q");
    NewCommand local = command("key-2");
    accept(store, sent);
    accept(store, local);

    StoredCommand ended = reply(store, sent.id()).orElseThrow();

    assertThat(ended).isEqualTo(find(store, sent.id()));
    assertThat(ended.status()).isEqualTo(CommandStatus.COMPLETED);
    assertThat(ended.outcome()).contains(Commands.COMPLETED);
    assertThat(reply(store, sent.id())).as("twice").isEmpty();
    assertThat(reply(store, local.id())).as("not sent anywhere").isEmpty();
    assertThat(reply(store, MessageIds.next())).as("unknown").isEmpty();
  }

  @Test
  void aReplyAfterTheDeadlineComesTooLate(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand sent = elsewhere(within("key-1", SOON), "APP.CMD.CREATEORDER.Q");
    accept(store, sent);
    tck.advance(SOON.plusSeconds(1));

    assertThat(expire(store, 10)).extracting(StoredCommand::id).containsExactly(sent.id());
    assertThat(reply(store, sent.id())).isEmpty();
  }

  @Test
  void aSentCommandThatArrivesHereIsClaimed(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand sent = elsewhere(command("key-1"), "APP.CMD.CREATEORDER.Q");
    NewCommand local = command("key-2");
    accept(store, sent);
    UserTransaction transaction = tck.begin();
    assertThat(store.arrived(transaction.handle(), sent.id())).isTrue();
    transaction.rollback();
    assertThat(claim(store, 10)).as("rolled back").isEmpty();

    assertThat(arrived(store, sent.id())).isTrue();
    assertThat(arrived(store, sent.id())).as("twice").isFalse();
    assertThat(arrived(store, MessageIds.next())).as("unknown").isFalse();
    List<CommandClaim> claims = claim(store, 10);
    assertThat(claims).hasSize(1);
    assertThat(claims.get(0).command()).isEqualTo(sent);
    assertThat(arrived(store, sent.id())).as("taken").isFalse();
    assertThat(finish(store, claims.get(0), Commands.COMPLETED)).isTrue();
    assertThat(arrived(store, sent.id())).as("ended").isFalse();
    assertThat(reply(store, sent.id())).as("its own reply").isEmpty();
    accept(store, local);
    assertThat(arrived(store, local.id())).as("not sent anywhere").isFalse();
  }

  @Test
  void tellsWhichHaveEnded(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim ended = acceptAndClaim(store, command("key-1"));
    CommandClaim running = acceptAndClaim(store, command("key-2"));
    finish(store, ended, Commands.COMPLETED);
    UUID unknown = MessageIds.next();

    assertThat(store.finished(List.of(ended.id(), running.id(), unknown)))
        .containsExactly(find(store, ended.id()));
    assertThat(store.finished(List.of())).isEmpty();
  }

  @Test
  void forgetsWhatEndedLongAgoAndNoMoreThanAsked(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    for (int i = 0; i < 5; i++) {
      finish(store, acceptAndClaim(store, command("old-" + i)), Commands.COMPLETED);
    }
    NewCommand queued = command("queued");
    accept(store, queued);
    tck.advance(Duration.ofDays(2));
    CommandClaim young = acceptAndClaim(store, Commands.ofType("Other", "young"));
    finish(store, young, Commands.COMPLETED);

    assertThat(store.purge(Duration.ofDays(1), 3)).isEqualTo(3);
    assertThat(store.purge(Duration.ofDays(1), 3)).isEqualTo(2);
    assertThat(store.purge(Duration.ofDays(1), 3)).isZero();
    assertThat(store.find(young.id())).isPresent();
    assertThat(store.find(queued.id())).as("not ended").isPresent();
    assertThat(accept(store, command("old-1")).isNew()).as("its key is free").isTrue();
  }

  private static boolean arrived(CommandStore<Object> store, UUID id) {
    return store
        .transactions()
        .<Boolean, RuntimeException>call(transaction -> store.arrived(transaction, id));
  }
}
