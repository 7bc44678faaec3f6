package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.scene.Samples;
import io.postroad.transaction.NoTransactionException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code append} joins the transaction of its caller, whatever opened it. */
@StoreContract
public final class TransactionContract {

  /** append, MUST 2. */
  @Test
  void committedMessagesReachRelays(StoreUnderTest tck) throws Exception {
    Message first = Samples.message();
    Message second = Samples.message();

    UserTransaction transaction = tck.begin();
    transaction.append(first);
    transaction.append(second);
    transaction.commit();

    assertThat(tck.receive())
        .extracting(Message::id)
        .containsExactlyInAnyOrder(first.id(), second.id());
  }

  /** append, MUST 2. */
  @Test
  void nobodySeesAMessageBeforeItsCommit(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();
    UserTransaction transaction = tck.begin();
    transaction.append(message);

    assertThat(tck.store().find(message.id())).isEmpty();
    assertThat(tck.receive()).isEmpty();
    assertThat(tck.anotherNode().find(message.id())).isEmpty();
    assertThat(tck.store().backlog().pending()).isZero();

    transaction.commit();
    assertThat(tck.receiveOne().id()).isEqualTo(message.id());
  }

  /** append, MUST 2. */
  @Test
  void aRollbackLeavesNothing(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();
    UserTransaction transaction = tck.begin();
    transaction.append(message);
    transaction.rollback();

    assertThat(tck.store().find(message.id())).isEmpty();
    assertThat(tck.receive()).isEmpty();
    assertThat(tck.store().backlog().pending()).isZero();
  }

  @Test
  void aMessageMayBeAppendedAgainAfterARollback(StoreUnderTest tck) throws Exception {
    Message message = Samples.message();
    UserTransaction transaction = tck.begin();
    transaction.append(message);
    transaction.rollback();

    tck.append(message);

    assertThat(tck.receiveOne()).isEqualTo(message);
  }

  @Test
  void openTransactionsDoNotDisturbEachOther(StoreUnderTest tck) throws Exception {
    Message kept = Samples.message();
    Message dropped = Samples.message();
    UserTransaction first = tck.begin();
    UserTransaction second = tck.begin(tck.anotherNode());
    first.append(dropped);
    second.append(kept);

    second.commit();
    first.rollback();

    assertThat(tck.receiveOne().id()).isEqualTo(kept.id());
  }

  /** append, MUST 1. */
  @Test
  void appendWithoutATransactionIsRefusedAndWritesNothing(StoreUnderTest tck) throws Exception {
    Message message = Samples.withKey("without-a-transaction");
    Object notATransaction = tck.notATransaction();

    assertThatThrownBy(
            () ->
                tck.store()
                    .append(notATransaction, List.of(message), StoreUnderTest.DEDUPLICATE_FOR))
        .isInstanceOf(NoTransactionException.class);

    assertThat(tck.store().find(message.id())).isEmpty();
    assertThat(tck.receive()).isEmpty();
    tck.append(message);
    assertThat(tck.receiveOne().id())
        .as("its deduplication key was not used")
        .isEqualTo(message.id());
  }
}
