package io.postroad.tck.contract.command;

import static io.postroad.tck.contract.command.Commands.accept;
import static io.postroad.tck.contract.command.Commands.acceptAndClaim;
import static io.postroad.tck.contract.command.Commands.claim;
import static io.postroad.tck.contract.command.Commands.command;
import static io.postroad.tck.contract.command.Commands.find;
import static io.postroad.tck.contract.command.Commands.finish;
import static io.postroad.tck.contract.command.Commands.notBefore;
import static io.postroad.tck.contract.command.Commands.ofType;
import static io.postroad.tck.contract.command.Commands.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One worker at a time has a command, and a worker that has lost it changes nothing. */
@StoreContract
@OrderedOnly
public final class CommandClaimContract {

  @Test
  void takesTheLongestDueFirst(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      NewCommand command = command("key-" + i);
      accept(store, command);
      ids.add(command.id());
      tck.advance(Duration.ofSeconds(1));
    }

    assertThat(claim(store, 2))
        .extracting(CommandClaim::id)
        .containsExactlyElementsOf(ids.subList(0, 2));
    assertThat(claim(store, 10))
        .extracting(CommandClaim::id)
        .containsExactlyElementsOf(ids.subList(2, 5));
    assertThat(claim(store, 10)).isEmpty();
  }

  @Test
  void aClaimedCommandNamesItsOwnerAndTime(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    NewCommand submitted = command("key-1");
    CommandClaim claim = acceptAndClaim(store, submitted);

    assertThat(claim.command()).isEqualTo(submitted);
    assertThat(claim.attempt()).isEqualTo(1);
    assertThat(claim.timeLeft()).isEmpty();
    StoredCommand stored = find(store, claim.id());
    assertThat(stored.status()).isEqualTo(CommandStatus.PROCESSING);
    assertThat(stored.owner()).contains("node-1");
    assertThat(stored.since()).isPresent();
    assertThat(stored.dueAt()).contains(stored.since().orElseThrow().plus(Commands.LEASE));
    assertThat(stored.attempt()).isEqualTo(1);
  }

  @Test
  void takesOnlyTheTypesAskedFor(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    accept(store, ofType("A", "key-1"));
    accept(store, ofType("B", "key-2"));
    accept(store, ofType("C", "key-3"));

    List<CommandClaim> claims = store.claim("node-1", Set.of("A", "C", "D"), 10, Commands.LEASE);

    assertThat(claims)
        .extracting(claim -> claim.command().type())
        .containsExactlyInAnyOrder("A", "C");
    assertThat(store.claim("node-1", Set.of("B"), 10, Commands.LEASE)).hasSize(1);
  }

  @Test
  void ofManyTypesTheLongestDueAreFirst(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    for (String type : List.of("A", "B", "A", "B", "A")) {
      accept(store, ofType(type, "key-" + UUID.randomUUID()));
      tck.advance(Duration.ofSeconds(1));
    }

    assertThat(store.claim("node-1", Set.of("A", "B"), 3, Commands.LEASE))
        .extracting(claim -> claim.command().type())
        .containsExactly("A", "B", "A");
  }

  @Test
  void waitsForTheTimeThatWasAskedFor(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    Instant later = store.now().plusSeconds(600);
    accept(store, notBefore("key-1", later));
    accept(store, notBefore("key-2", store.now().minusSeconds(600)));

    List<CommandClaim> due = claim(store, 10);
    assertThat(due).as("only the one that is due").hasSize(1);
    assertThat(finish(store, due.get(0), Commands.COMPLETED)).isTrue();
    tck.advance(Duration.ofSeconds(601));
    assertThat(claim(store, 10)).hasSize(1);
  }

  @Test
  void eachIsTakenByOneOfManyClaimers(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    for (int i = 0; i < 40; i++) {
      accept(store, command("key-" + i));
    }

    List<List<CommandClaim>> taken = tck.together(8, () -> claim(store, 7));

    List<UUID> ids =
        Stream.concat(taken.stream().flatMap(List::stream), claim(store, 40).stream())
            .map(CommandClaim::id)
            .toList();
    assertThat(ids).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  void anExpiredLeaseIsTakenAgainAndCountsAsAnAttempt(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim first = acceptAndClaim(store, command("key-1"));
    tck.advance(Commands.LEASE.plusSeconds(1));

    List<CommandClaim> again = store.claim("node-2", Set.of(Commands.TYPE), 10, Commands.LEASE);

    assertThat(again).hasSize(1);
    CommandClaim second = again.get(0);
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(open(store, first)).isEqualTo(Opening.LOST);
    assertThat(finish(store, first, Commands.COMPLETED)).isFalse();
    assertThat(store.retry(first, Duration.ZERO, "late")).isFalse();
    assertThat(store.release(List.of(first))).isEmpty();
    assertThat(find(store, first.id()).owner()).contains("node-2");
    assertThat(finish(store, second, Commands.COMPLETED)).isTrue();
  }

  @Test
  void anExpiredLeaseHoldsUntilTheNextClaim(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim claim = acceptAndClaim(store, command("key-1"));
    tck.advance(Commands.LEASE.plusSeconds(1));

    assertThat(open(store, claim)).isEqualTo(Opening.HELD);
    assertThat(finish(store, claim, Commands.COMPLETED)).isTrue();
    assertThat(finish(store, claim, Commands.COMPLETED)).as("twice").isFalse();
  }

  @Test
  void anOpenedCommandIsLockedUntilTheTransactionEnds(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim claim = acceptAndClaim(store, command("key-1"));
    UserTransaction running = tck.begin();
    assertThat(store.open(running.handle(), claim, Commands.LONGEST)).isEqualTo(Opening.HELD);
    accept(store, command("key-2"));

    assertThat(claim(store, 10))
        .as("what another takes meanwhile")
        .extracting(other -> other.command().idempotencyKey())
        .containsExactly("key-2");
    assertThat(store.finish(running.handle(), claim, Commands.COMPLETED)).isTrue();
    assertThat(find(store, claim.id()).status())
        .as("before the commit")
        .isEqualTo(CommandStatus.PROCESSING);
    running.commit();

    StoredCommand ended = find(store, claim.id());
    assertThat(ended.status()).isEqualTo(CommandStatus.COMPLETED);
    assertThat(ended.outcome()).contains(Commands.COMPLETED);
    assertThat(ended.finishedAt()).isPresent();
    assertThat(ended.owner()).isEmpty();
    assertThat(ended.dueAt()).isEmpty();
  }

  @Test
  void anOpenedCommandIsNotTakenWhenItsLeaseEnds(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim claim = acceptAndClaim(store, command("key-1"));
    UserTransaction running = tck.begin();
    assertThat(store.open(running.handle(), claim, Commands.LONGEST)).isEqualTo(Opening.HELD);
    tck.advance(Commands.LEASE.plusSeconds(1));

    assertThat(claim(store, 10)).isEmpty();
    assertThat(store.finish(running.handle(), claim, Commands.COMPLETED)).isTrue();
    running.commit();

    assertThat(claim(store, 10)).isEmpty();
    assertThat(find(store, claim.id()).status()).isEqualTo(CommandStatus.COMPLETED);
  }

  @Test
  void aRollbackLeavesTheClaim(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim claim = acceptAndClaim(store, command("key-1"));
    UserTransaction running = tck.begin();
    assertThat(store.open(running.handle(), claim, Commands.LONGEST)).isEqualTo(Opening.HELD);
    assertThat(store.finish(running.handle(), claim, Commands.COMPLETED)).isTrue();
    running.rollback();

    assertThat(find(store, claim.id()).status()).isEqualTo(CommandStatus.PROCESSING);
    CommandOutcome failed = CommandOutcome.failed("BUSINESS", "InsufficientFunds: no \u00e4 money");
    assertThat(finish(store, claim, failed)).isTrue();
    assertThat(find(store, claim.id()).outcome()).contains(failed);
    assertThat(find(store, claim.id()).status()).isEqualTo(CommandStatus.FAILED);
  }

  @Test
  void aRetryComesBackWhenItIsDue(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim claim = acceptAndClaim(store, command("key-1"));

    assertThat(store.retry(claim, Duration.ofSeconds(30), "deadlock")).isTrue();

    StoredCommand waits = find(store, claim.id());
    assertThat(waits.status()).isEqualTo(CommandStatus.PENDING);
    assertThat(waits.lastError()).contains("deadlock");
    assertThat(waits.owner()).isEmpty();
    assertThat(store.retry(claim, Duration.ZERO, "again")).as("twice").isFalse();
    assertThat(open(store, claim)).isEqualTo(Opening.LOST);
    assertThat(claim(store, 10)).isEmpty();
    tck.advance(Duration.ofSeconds(31));
    assertThat(claim(store, 10)).extracting(CommandClaim::attempt).containsExactly(2);
  }

  @Test
  void aCommandThatIsHandedOverComesBackAfterAPauseAndItsAttemptIsNotCounted(StoreUnderTest tck)
      throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim claim = acceptAndClaim(store, command("key-1"));

    assertThat(store.handOver(claim, Duration.ofSeconds(30), "not on this node")).isTrue();

    StoredCommand waits = find(store, claim.id());
    assertThat(waits.status()).isEqualTo(CommandStatus.PENDING);
    assertThat(waits.lastError()).contains("not on this node");
    assertThat(waits.owner()).isEmpty();
    assertThat(waits.attempt()).isZero();
    assertThat(store.handOver(claim, Duration.ZERO, "again")).as("twice").isFalse();
    assertThat(open(store, claim)).isEqualTo(Opening.LOST);
    assertThat(claim(store, 10)).isEmpty();
    tck.advance(Duration.ofSeconds(31));
    List<CommandClaim> again = claim(store, 10);
    assertThat(again).extracting(CommandClaim::attempt).containsExactly(1);
    assertThat(again.get(0).token()).isGreaterThan(claim.token());
  }

  @Test
  void aReleasedCommandIsDueAtOnceAndItsAttemptIsNotCounted(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();
    CommandClaim one = acceptAndClaim(store, command("key-1"));
    CommandClaim two = acceptAndClaim(store, command("key-2"));
    assertThat(finish(store, two, Commands.COMPLETED)).isTrue();

    assertThat(store.release(List.of(one, two))).containsExactly(one.id());

    assertThat(find(store, one.id()).attempt()).isZero();
    assertThat(open(store, one)).isEqualTo(Opening.LOST);
    List<CommandClaim> again = claim(store, 10);
    assertThat(again).extracting(CommandClaim::attempt).containsExactly(1);
    assertThat(again.get(0).token()).isGreaterThan(one.token());
    assertThat(store.release(List.of())).isEmpty();
  }

  @Test
  void refusesLimitsThatItDoesNotTake(StoreUnderTest tck) throws Exception {
    CommandStore<Object> store = tck.commands();

    assertThatIllegalArgumentException().isThrownBy(() -> claim(store, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> claim(store, 10_001));
    assertThatIllegalArgumentException().isThrownBy(() -> store.purge(Duration.ZERO, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> Commands.expire(store, 0));
  }
}
