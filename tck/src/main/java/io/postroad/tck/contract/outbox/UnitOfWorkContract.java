package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.spi.OutboxStore;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Samples;
import io.postroad.transaction.Transactions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Units of work of {@link Transactions}: commit, rollback, joining. */
@StoreContract
public final class UnitOfWorkContract {

  @Test
  void aUnitCommitsWhenItReturns(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> store = tck.store();
    Message message = Samples.message();

    String answer =
        store
            .transactions()
            .call(
                transaction -> {
                  append(store, transaction, message);
                  assertThat(store.find(message.id())).as("before the commit").isEmpty();
                  return "done";
                });

    assertThat(answer).isEqualTo("done");
    assertThat(tck.receiveOne().id()).isEqualTo(message.id());
  }

  @Test
  void aUnitThatThrowsRollsBackAndRethrowsTheSame(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> store = tck.store();
    for (Throwable thrown :
        List.of(
            new IOException("checked"),
            new IllegalStateException("unchecked"),
            new AssertionError("error"))) {
      Message message = Samples.message();

      assertThatThrownBy(
              () ->
                  store
                      .transactions()
                      .run(
                          transaction -> {
                            append(store, transaction, message);
                            throwIt(thrown);
                          }))
          .isSameAs(thrown);

      assertThat(store.find(message.id())).isEmpty();
      assertThat(store.transactions().current()).isEmpty();
    }
  }

  @Test
  void anInnerUnitJoinsTheOuter(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> store = tck.store();
    Message inner = Samples.message();
    Message outer = Samples.message();

    store
        .transactions()
        .run(
            transaction -> {
              store
                  .transactions()
                  .run(
                      joined -> {
                        assertThat(joined).isSameAs(transaction);
                        append(store, joined, inner);
                      });
              assertThat(store.find(inner.id())).as("no commit at the inner end").isEmpty();
              append(store, transaction, outer);
            });

    assertThat(tck.receive())
        .extracting(Message::id)
        .containsExactlyInAnyOrder(inner.id(), outer.id());
  }

  @Test
  void anOuterFailureTakesTheInnerUnitWithIt(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> store = tck.store();
    Message inner = Samples.message();

    assertThatThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        transaction -> {
                          store.transactions().run(joined -> append(store, joined, inner));
                          throw new IOException("after the inner unit");
                        }))
        .isInstanceOf(IOException.class);

    assertThat(store.find(inner.id())).isEmpty();
  }

  @Test
  void anInnerFailureThatTheOuterSwallowsFailsTheOuterAtItsEnd(StoreUnderTest tck)
      throws Exception {
    OutboxStore<Object> store = tck.store();
    Message message = Samples.message();

    assertThatThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        transaction -> {
                          append(store, transaction, message);
                          assertThatThrownBy(
                                  () ->
                                      store
                                          .transactions()
                                          .run(
                                              joined -> {
                                                throw new IOException("inner");
                                              }))
                              .isInstanceOf(IOException.class);
                        }))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("rolled back");

    assertThat(store.find(message.id())).isEmpty();
    assertThat(tck.receive()).isEmpty();
    assertThat(store.transactions().current()).isEmpty();
    store.transactions().run(transaction -> append(store, transaction, message));
    assertThat(tck.receiveOne().id()).as("appended by a fresh unit").isEqualTo(message.id());
  }

  @Test
  void afterAFailedUnitTheThreadStartsAfresh(StoreUnderTest tck) throws Exception {
    OutboxStore<Object> store = tck.store();
    Message message = Samples.message();
    assertThatThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        transaction -> {
                          throw new IOException("first");
                        }))
        .isInstanceOf(IOException.class);

    store.transactions().run(transaction -> append(store, transaction, message));

    assertThat(tck.receiveOne().id()).isEqualTo(message.id());
  }

  @Test
  void currentIsTheTransactionOfTheUnitThatThisThreadIsIn(StoreUnderTest tck) throws Exception {
    Transactions<Object> transactions = tck.store().transactions();
    assertThat(transactions.current()).isEmpty();

    transactions.run(
        transaction -> {
          assertThat(transactions.current().orElseThrow()).isSameAs(transaction);
          transactions.run(
              joined -> assertThat(transactions.current().orElseThrow()).isSameAs(transaction));
          assertThat(transactions.current().orElseThrow()).isSameAs(transaction);
          Optional<Object> elsewhere = StoreUnderTest.get(tck.async(transactions::current));
          assertThat(elsewhere).as("on another thread").isEmpty();
        });

    assertThat(transactions.current()).isEmpty();
  }

  private static void append(OutboxStore<Object> store, Object transaction, Message message) {
    store.append(transaction, List.of(message), StoreUnderTest.DEDUPLICATE_FOR);
  }

  private static void throwIt(Throwable thrown) throws Exception {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (Exception) thrown;
  }
}
