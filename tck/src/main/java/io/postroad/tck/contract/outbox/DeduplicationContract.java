package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.store.AppendResult.Appended;
import io.postroad.store.AppendResult.Duplicate;
import io.postroad.tck.Capability;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** append, MUST 3: one message per deduplication key and window. */
@StoreContract
public final class DeduplicationContract {
  private static final Duration WINDOW = StoreUnderTest.DEDUPLICATE_FOR;

  @Test
  void aKeyUsedByACommittedMessageAnswersDuplicateWithItsId(StoreUnderTest tck) throws Exception {
    Message first = Samples.withKey("k");
    Message second = Samples.withKey("k");
    assertThat(tck.append(first)).containsExactly(new Appended(first.id()));

    assertThat(tck.append(second)).containsExactly(new Duplicate(first.id()));

    assertThat(tck.store().find(second.id())).isEmpty();
    assertThat(tck.receiveOne().id()).isEqualTo(first.id());
  }

  @Test
  void aKeyTwiceInOneCallAnswersDuplicateForTheSecond(StoreUnderTest tck) throws Exception {
    Message first = Samples.withKey("k");
    Message second = Samples.withKey("k");
    Message third = Samples.withKey("k");

    assertThat(tck.append(first, second, third))
        .containsExactly(
            new Appended(first.id()), new Duplicate(first.id()), new Duplicate(first.id()));

    assertThat(tck.receiveOne().id()).isEqualTo(first.id());
  }

  @Test
  void aKeyTwiceInOneTransactionAnswersDuplicateForTheSecond(StoreUnderTest tck) throws Exception {
    Message first = Samples.withKey("k");
    Message second = Samples.withKey("k");
    UserTransaction transaction = tck.begin();

    assertThat(transaction.append(first)).containsExactly(new Appended(first.id()));
    assertThat(transaction.append(second)).containsExactly(new Duplicate(first.id()));
    transaction.commit();

    assertThat(tck.receiveOne().id()).isEqualTo(first.id());
  }

  @Test
  void aMixedCallAnswersInOrder(StoreUnderTest tck) throws Exception {
    Message used = Samples.withKey("used");
    tck.append(used);
    Message plain = Samples.message();
    Message again = Samples.withKey("used");
    Message fresh = Samples.withKey("fresh");
    Message freshAgain = Samples.withKey("fresh");

    assertThat(tck.append(plain, again, fresh, freshAgain, Samples.withKey("other")))
        .startsWith(
            new Appended(plain.id()),
            new Duplicate(used.id()),
            new Appended(fresh.id()),
            new Duplicate(fresh.id()))
        .hasSize(5);
  }

  @Test
  void theTransactionStaysUsableAfterADuplicate(StoreUnderTest tck) throws Exception {
    Message first = Samples.withKey("k");
    Message next = Samples.message();
    tck.append(first);

    UserTransaction transaction = tck.begin();
    transaction.append(Samples.withKey("k"));
    assertThat(transaction.append(next)).containsExactly(new Appended(next.id()));
    transaction.commit();

    assertThat(tck.receive())
        .extracting(Message::id)
        .containsExactlyInAnyOrder(first.id(), next.id());
  }

  @Test
  void theSameMessageAppendedAgainIsADuplicateOfItself(StoreUnderTest tck) throws Exception {
    Message message = Samples.withKey("k");
    tck.append(message);

    assertThat(tck.append(message)).containsExactly(new Duplicate(message.id()));
  }

  @Test
  void messagesWithoutAKeyAreNeverDuplicates(StoreUnderTest tck) throws Exception {
    Message first = Samples.message();
    Message second = Samples.message();

    assertThat(tck.append(first, second))
        .containsExactly(new Appended(first.id()), new Appended(second.id()));
  }

  @Test
  void aKeyMayBeUsedAgainAfterItsWindow(StoreUnderTest tck) throws Exception {
    tck.needs(Capability.EXPIRING_KEYS);
    Message first = Samples.withKey("k");
    Message second = Samples.withKey("k");
    Message third = Samples.withKey("k");
    tck.append(first);
    tck.advance(WINDOW.plusSeconds(1));

    assertThat(tck.append(second)).containsExactly(new Appended(second.id()));
    assertThat(tck.append(third)).containsExactly(new Duplicate(second.id()));

    assertThat(tck.receive())
        .extracting(Message::id)
        .containsExactlyInAnyOrder(first.id(), second.id());
  }

  @Test
  void aKeyIsRememberedUntilTheEndOfItsWindow(StoreUnderTest tck) throws Exception {
    Message first = Samples.withKey("k");
    tck.append(first);
    tck.advance(WINDOW.minusHours(1));

    assertThat(tck.append(Samples.withKey("k"))).containsExactly(new Duplicate(first.id()));
  }

  /** Else a caller that tries again often enough is never heard again. */
  @Test
  void aDuplicateDoesNotProlongTheWindow(StoreUnderTest tck) throws Exception {
    tck.needs(Capability.EXPIRING_KEYS);
    tck.append(Samples.withKey("k"));
    tck.advance(WINDOW.minusHours(1));
    tck.append(Samples.withKey("k"));
    tck.advance(Duration.ofHours(2));
    Message late = Samples.withKey("k");

    assertThat(tck.append(late)).containsExactly(new Appended(late.id()));
  }

  @Test
  void aRolledBackUseOfAKeyDoesNotCount(StoreUnderTest tck) throws Exception {
    UserTransaction transaction = tck.begin();
    transaction.append(Samples.withKey("k"));
    transaction.rollback();
    Message second = Samples.withKey("k");

    assertThat(tck.append(second)).containsExactly(new Appended(second.id()));
    assertThat(tck.receiveOne().id()).isEqualTo(second.id());
  }

  @Test
  void aKeyIsRememberedWhenItsMessageIsPurged(StoreUnderTest tck) throws Exception {
    Message first = Samples.withKey("k");
    tck.deliver(first);
    tck.advance(WINDOW.minusHours(1));
    tck.store().purge(Duration.ofHours(1), 100);
    assertThat(tck.store().find(first.id())).isEmpty();

    assertThat(tck.append(Samples.withKey("k"))).containsExactly(new Duplicate(first.id()));
  }

  @Test
  void aKeyMayBeUsedAgainAfterItsWindowWasPurged(StoreUnderTest tck) throws Exception {
    tck.needs(Capability.EXPIRING_KEYS);
    tck.append(Samples.withKey("k"));
    tck.advance(WINDOW.plusSeconds(1));
    tck.store().purge(Duration.ofHours(1), 100);
    Message second = Samples.withKey("k");

    assertThat(tck.append(second)).containsExactly(new Appended(second.id()));
  }
}
