package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.spi.OutboxStore;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Samples;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Actions that run once a unit of work has committed. */
@StoreContract
public final class AfterCommitContract {

  @Test
  void anActionRunsAfterTheCommitOnTheSameThread(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> store = tck.store();
    Message message = Samples.message();
    List<Thread> ranOn = new ArrayList<>();
    List<Boolean> sawTheMessage = new ArrayList<>();

    store
        .transactions()
        .run(
            transaction -> {
              store
                  .transactions()
                  .afterCommit(
                      () -> {
                        ranOn.add(Thread.currentThread());
                        sawTheMessage.add(store.find(message.id()).isPresent());
                      });
              store.append(transaction, List.of(message), StoreUnderTest.DEDUPLICATE_FOR);
              assertThat(ranOn).isEmpty();
            });

    assertThat(ranOn).containsExactly(Thread.currentThread());
    assertThat(sawTheMessage).containsExactly(true);
  }

  @Test
  void anActionOfAnInnerUnitRunsAfterTheOutermostCommit(StoreUnderTest tck) throws Exception {
    Transactions<Object> transactions = tck.store().transactions();
    List<String> ran = new ArrayList<>();

    transactions.run(
        transaction -> {
          transactions.run(joined -> transactions.afterCommit(() -> ran.add("inner")));
          assertThat(ran).isEmpty();
        });

    assertThat(ran).containsExactly("inner");
  }

  @Test
  void aRollbackRunsNoAction(StoreUnderTest tck) throws Exception {
    Transactions<Object> transactions = tck.store().transactions();
    List<String> ran = new ArrayList<>();

    assertThatThrownBy(
            () ->
                transactions.run(
                    transaction -> {
                      transactions.afterCommit(() -> ran.add("rolled back"));
                      throw new IOException("no");
                    }))
        .isInstanceOf(IOException.class);
    transactions.run(transaction -> transactions.afterCommit(() -> ran.add("committed")));

    assertThat(ran).containsExactly("committed");
  }

  @Test
  void anActionThatThrowsChangesNothing(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> store = tck.store();
    Message message = Samples.message();
    List<String> ran = new ArrayList<>();

    store
        .transactions()
        .run(
            transaction -> {
              store.append(transaction, List.of(message), StoreUnderTest.DEDUPLICATE_FOR);
              store
                  .transactions()
                  .afterCommit(
                      () -> {
                        throw new IllegalStateException("thrown by the test after a commit");
                      });
              store.transactions().afterCommit(() -> ran.add("next"));
            });

    assertThat(ran).containsExactly("next");
    assertThat(tck.receiveOne().id()).isEqualTo(message.id());
  }

  @Test
  void anActionMayRunAUnitOfItsOwn(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> store = tck.store();
    Message message = Samples.message();

    store
        .transactions()
        .run(
            outer ->
                store
                    .transactions()
                    .afterCommit(
                        () ->
                            store
                                .transactions()
                                .run(
                                    transaction ->
                                        store.append(
                                            transaction,
                                            List.of(message),
                                            StoreUnderTest.DEDUPLICATE_FOR))));

    assertThat(tck.receiveOne().id()).isEqualTo(message.id());
  }

  @Test
  void anActionOutsideAUnitIsRefused(StoreUnderTest tck) throws Exception {
    Transactions<Object> transactions = tck.store().transactions();

    assertThatThrownBy(() -> transactions.afterCommit(() -> {}))
        .isInstanceOf(NoTransactionException.class);
  }
}
