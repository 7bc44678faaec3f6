package io.postroad.tck.contract.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.postroad.message.MessageIds;
import io.postroad.spi.InboxEntry;
import io.postroad.spi.InboxStore;
import io.postroad.spi.InboxStore.Entered;
import io.postroad.spi.InboxWaiting;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.scene.Samples;
import io.postroad.transaction.NoTransactionException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An inbox remembers the handlers that had a message, and the keys that wait. */
@StoreContract
@OrderedOnly
public final class InboxContract {
  private static final InboxEntry ENTRY = entry("message-1", "billing", "customer-1");

  @Test
  void aMessageIsNewOnceForEachHandler(StoreUnderTest tck) throws Exception {
    InboxStore<Object> inbox = tck.inbox();

    assertThat(enter(inbox, ENTRY)).isEqualTo(Entered.NEW);
    assertThat(enter(inbox, ENTRY)).isEqualTo(Entered.DUPLICATE);
    assertThat(enter(inbox, entry("message-1", "audit", "customer-1"))).isEqualTo(Entered.NEW);
    assertThat(enter(inbox, entry("message-2", "billing", "customer-1"))).isEqualTo(Entered.NEW);
    assertThat(enter(tck.inbox(), ENTRY)).as("on another node").isEqualTo(Entered.DUPLICATE);
  }

  @Test
  void aDuplicateLeavesATransactionThatCanGoOn(StoreUnderTest tck) throws Exception {
    InboxStore<Object> inbox = tck.inbox();
    enter(inbox, ENTRY);
    InboxEntry other = entry("message-2", "billing", "customer-1");

    UserTransaction transaction = tck.begin();
    assertThat(inbox.enter(transaction.handle(), ENTRY)).isEqualTo(Entered.DUPLICATE);
    assertThat(inbox.enter(transaction.handle(), other)).isEqualTo(Entered.NEW);
    transaction.commit();

    assertThat(inbox.look(other)).isEqualTo(Entered.DUPLICATE);
  }

  @Test
  void aRollbackLeavesNothing(StoreUnderTest tck) throws Exception {
    InboxStore<Object> inbox = tck.inbox();
    UserTransaction transaction = tck.begin();
    assertThat(inbox.enter(transaction.handle(), ENTRY)).isEqualTo(Entered.NEW);
    inbox.waits(transaction.handle(), ENTRY, MessageIds.next());
    transaction.rollback();

    assertThat(inbox.look(ENTRY)).isEqualTo(Entered.NEW);
    assertThat(waiting(inbox)).isEmpty();
    assertThat(enter(inbox, ENTRY)).isEqualTo(Entered.NEW);
  }

  @Test
  void ofManyWhoEnterAtOnceOneIsNew(StoreUnderTest tck) throws Exception {
    InboxStore<Object> inbox = tck.inbox();

    List<Entered> answers = tck.together(8, () -> enter(inbox, ENTRY));

    assertThat(answers).containsOnlyOnce(Entered.NEW);
    assertThat(answers.stream().filter(answer -> answer == Entered.DUPLICATE)).hasSize(7);
  }

  @Test
  void lookingWritesNothing(StoreUnderTest tck) throws Exception {
    InboxStore<Object> inbox = tck.inbox();

    assertThat(inbox.look(ENTRY)).isEqualTo(Entered.NEW);
    assertThat(inbox.look(ENTRY)).isEqualTo(Entered.NEW);
    enter(inbox, ENTRY);
    assertThat(inbox.look(ENTRY)).isEqualTo(Entered.DUPLICATE);
  }

  @Test
  void whoComesWhileItsKeyWaitsIsBehind(StoreUnderTest tck) throws Exception {
    InboxStore<Object> inbox = tck.inbox();
    UUID retryId = MessageIds.next();
    waits(inbox, ENTRY, retryId);

    InboxEntry follower = entry("message-2", "billing", "customer-1");
    assertThat(inbox.look(follower)).isEqualTo(Entered.BEHIND);
    assertThat(enter(inbox, follower)).isEqualTo(Entered.BEHIND);
    assertThat(enter(inbox, follower)).as("entered all the same").isEqualTo(Entered.DUPLICATE);
    assertThat(enter(inbox, entry("message-3", "billing", "customer-2")))
        .as("another key")
        .isEqualTo(Entered.NEW);
    assertThat(enter(inbox, entry("message-3", "audit", "customer-1")))
        .as("another handler")
        .isEqualTo(Entered.NEW);
    assertThat(enter(inbox, new InboxEntry("message-4", "billing", Optional.empty())))
        .as("without a key")
        .isEqualTo(Entered.NEW);
  }

  @Test
  void aKeyIsFreeWhenAllOfItHaveLeft(StoreUnderTest tck) throws Exception {
    InboxStore<Object> inbox = tck.inbox();
    UUID first = MessageIds.next();
    UUID second = MessageIds.next();
    waits(inbox, ENTRY, first);
    waits(inbox, entry("message-2", "billing", "customer-1"), second);

    left(inbox, first);
    assertThat(enter(inbox, entry("message-3", "billing", "customer-1"))).isEqualTo(Entered.BEHIND);
    left(inbox, second);
    left(inbox, second);
    assertThat(enter(inbox, entry("message-4", "billing", "customer-1"))).isEqualTo(Entered.NEW);
  }

  @Test
  void onlyAMessageWithAKeyCanWait(StoreUnderTest tck) throws Exception {
    InboxStore<Object> inbox = tck.inbox();
    InboxEntry free = new InboxEntry("message-1", "billing", Optional.empty());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> waits(inbox, free, MessageIds.next()))
        .withMessageContaining("message-1");
    assertThat(waiting(inbox)).isEmpty();
  }

  @Test
  void listsWhoWaitsInPages(StoreUnderTest tck) throws Exception {
    InboxStore<Object> inbox = tck.inbox();
    List<UUID> ids = Stream.generate(MessageIds::next).limit(5).toList();
    for (UUID id : ids) {
      waits(inbox, entry("message-" + id, "billing", "customer-1"), id);
    }
    assertThat(inbox.waiting(Duration.ofMinutes(1), Optional.empty(), 10)).isEmpty();
    tck.advance(Duration.ofMinutes(2));

    List<InboxWaiting> first = inbox.waiting(Duration.ofMinutes(1), Optional.empty(), 3);
    List<InboxWaiting> rest =
        inbox.waiting(Duration.ofMinutes(1), Optional.of(first.get(2).retryId()), 3);

    assertThat(Stream.concat(first.stream(), rest.stream()).map(InboxWaiting::retryId))
        .containsExactlyInAnyOrderElementsOf(ids);
    assertThat(rest).hasSize(2);
    assertThat(first)
        .allSatisfy(
            row -> {
              assertThat(row.order()).isEqualTo("billing");
              assertThat(row.key()).isEqualTo("customer-1");
            });
  }

  @Test
  void forgetsWhatIsOldAndNoMoreThanAsked(StoreUnderTest tck) throws Exception {
    InboxStore<Object> inbox = tck.inbox();
    for (int i = 0; i < 5; i++) {
      enter(inbox, entry("old-" + i, "billing", "customer-1"));
    }
    UUID waiting = MessageIds.next();
    waits(inbox, entry("waits", "billing", "customer-1"), waiting);
    tck.advance(Duration.ofDays(2));
    enter(inbox, entry("young", "billing", "customer-2"));

    assertThat(inbox.purge(Duration.ofDays(1), 3)).isEqualTo(3);
    assertThat(inbox.purge(Duration.ofDays(1), 3)).isEqualTo(3);
    assertThat(inbox.purge(Duration.ofDays(1), 3)).isZero();
    assertThat(inbox.look(entry("young", "billing", "customer-2"))).isEqualTo(Entered.DUPLICATE);
    assertThat(inbox.look(entry("old-1", "billing", "customer-2"))).isEqualTo(Entered.NEW);
    assertThat(waiting(inbox)).as("a waiting message is not forgotten").hasSize(1);
  }

  @Test
  void takesEveryTextThatAnEntryCanHave(StoreUnderTest tck) throws Exception {
    InboxStore<Object> inbox = tck.inbox();
    InboxEntry odd =
        entry(
            "ID:' \"$\\%_\u00e4\u4f60\ud83d\ude00" + "x".repeat(490),
            "h".repeat(255),
            "k".repeat(512));
    UUID retryId = MessageIds.next();

    assertThat(enter(inbox, odd)).isEqualTo(Entered.NEW);
    assertThat(enter(inbox, odd)).isEqualTo(Entered.DUPLICATE);
    inbox.transactions().run(transaction -> inbox.waits(transaction, odd, retryId));
    assertThat(enter(inbox, entry("next", "h".repeat(255), "k".repeat(512))))
        .isEqualTo(Entered.BEHIND);
  }

  @Test
  void refusesWhatIsNoTransaction(StoreUnderTest tck) throws Exception {
    InboxStore<Object> inbox = tck.inbox();
    Object none = tck.notATransaction();

    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> inbox.enter(none, ENTRY));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> inbox.waits(none, ENTRY, MessageIds.next()));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> inbox.left(none, MessageIds.next()));
    assertThat(inbox.look(ENTRY)).isEqualTo(Entered.NEW);
  }

  @Test
  void refusesLimitsThatItDoesNotTake(StoreUnderTest tck) throws Exception {
    InboxStore<Object> inbox = tck.inbox();

    assertThatIllegalArgumentException().isThrownBy(() -> inbox.purge(Duration.ZERO, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> inbox.waiting(Duration.ZERO, Optional.empty(), 10_001));
  }

  @Test
  void entryAndAppendAreOneCommit(StoreUnderTest tck) throws Exception {
    InboxStore<Object> inbox = tck.inbox();

    UserTransaction transaction = tck.begin();
    inbox.enter(transaction.handle(), ENTRY);
    var unused = transaction.append(Samples.ordered("customer-1"));
    transaction.rollback();
    assertThat(tck.receive()).isEmpty();

    UserTransaction second = tck.begin();
    assertThat(inbox.enter(second.handle(), ENTRY)).isEqualTo(Entered.NEW);
    var unusedToo = second.append(Samples.ordered("customer-1"));
    second.commit();
    assertThat(tck.receive()).hasSize(1);
  }

  private static List<InboxWaiting> waiting(InboxStore<Object> inbox) {
    return inbox.waiting(Duration.ofMinutes(-1), Optional.empty(), 100);
  }

  private static Entered enter(InboxStore<Object> inbox, InboxEntry entry) {
    return inbox
        .transactions()
        .<Entered, RuntimeException>call(transaction -> inbox.enter(transaction, entry));
  }

  private static void waits(InboxStore<Object> inbox, InboxEntry entry, UUID retryId) {
    inbox
        .transactions()
        .run(
            transaction -> {
              var unused = inbox.enter(transaction, entry);
              inbox.waits(transaction, entry, retryId);
            });
  }

  private static void left(InboxStore<Object> inbox, UUID retryId) {
    inbox.transactions().run(transaction -> inbox.left(transaction, retryId));
  }

  private static InboxEntry entry(String messageId, String handler, String key) {
    return new InboxEntry(messageId, handler, Optional.of(key));
  }
}
