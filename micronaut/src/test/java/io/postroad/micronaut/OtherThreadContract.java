package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micronaut.context.ApplicationContext;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.spi.OutboxStore;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Transactions that are not simply the one of this thread: handed to another one, as Micronaut does
 * with its context for {@code @Async}, and nested ones.
 *
 * @param <T> what a transaction of the database is
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OtherThreadContract<T> {
  private final ApplicationContext context;
  final TransactionOperations<T> operations;
  final Transactions<T> transactions;
  final Outbox<T> outbox;
  final List<String> told = new ArrayList<>();

  @SuppressWarnings("unchecked")
  OtherThreadContract(Map<String, Object> database) {
    context = Apps.with(database, "postroad.relay.enabled", "false").start();
    operations = context.getBean(TransactionOperations.class);
    transactions = context.getBean(Transactions.class);
    outbox = context.getBean(Outbox.class);
  }

  @BeforeEach
  void forget() {
    told.clear();
  }

  @AfterAll
  void close() {
    context.close();
  }

  @Test
  void anotherThreadIsRefusedThoughItComesFirst() throws Exception {
    long before = stored();
    List<Throwable> refused = new ArrayList<>();
    boolean unused =
        operations.executeWrite(
            status -> {
              refused.addAll(triedOnAnotherThread());
              return true;
            });

    assertAllRefused(refused);
    assertThat(stored()).isEqualTo(before);
    assertThat(told).isEmpty();
  }

  @Test
  void anotherThreadIsRefusedInATransactionThatPostroadBegan() throws Exception {
    long before = stored();
    List<Throwable> refused = new ArrayList<>();
    transactions.run(
        transaction -> {
          append("mine");
          refused.addAll(triedOnAnotherThread());
        });

    assertAllRefused(refused);
    assertThat(stored()).as("what its own thread appended").isEqualTo(before + 1);
  }

  private List<Throwable> triedOnAnotherThread() throws InterruptedException {
    List<Throwable> thrown = new ArrayList<>();
    Runnable work =
        () -> {
          thrown.add(catchThrowable(() -> append("handed on")));
          thrown.add(catchThrowable(() -> transactions.run(transaction -> append("unit"))));
          thrown.add(catchThrowable(() -> transactions.afterCommit(() -> told.add("late"))));
          thrown.add(catchThrowable(transactions::current));
        };
    Thread other = new Thread(PropagatedContext.get().wrap(work), "another");
    other.start();
    other.join();
    return thrown;
  }

  private static void assertAllRefused(List<Throwable> thrown) {
    assertThat(thrown)
        .hasSize(4)
        .allSatisfy(
            each ->
                assertThat(each)
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("this thread (another)")
                    .hasMessageContaining("REQUIRES_NEW"));
  }

  /** A thread that was handed a context may have a transaction of its own. */
  @Test
  void aTransactionOfTheOtherThreadsOwnIsItsOwn() throws Exception {
    long before = stored();
    boolean unused =
        operations.executeWrite(
            status -> {
              Runnable work =
                  () -> {
                    boolean own =
                        operations.execute(
                            TransactionDefinition.of(
                                TransactionDefinition.Propagation.REQUIRES_NEW),
                            inner -> {
                              append("own");
                              return true;
                            });
                    told.add("own " + own);
                  };
              Thread other = new Thread(PropagatedContext.get().wrap(work), "another");
              other.start();
              other.join();
              return true;
            });
    assertThat(told).containsExactly("own true");
    assertThat(stored()).isEqualTo(before + 1);
  }

  @Test
  void aTransactionThatBeganAsNestedIsLikeAnyOther() {
    long before = stored();
    nested(
        () -> {
          append("in it");
          transactions.run(transaction -> append("in a unit of it"));
          transactions.afterCommit(() -> told.add("committed"));
        });
    assertThat(told).containsExactly("committed");
    assertThat(stored()).isEqualTo(before + 2);
  }

  @Test
  void aCallThatFailsInANestedTransactionFailsTheWhole() {
    long before = stored();
    Throwable failed =
        catchThrowable(
            () ->
                nested(
                    () -> {
                      append("lost");
                      var unused =
                          catchThrowable(
                              () ->
                                  transactions.run(
                                      transaction -> {
                                        throw new IllegalStateException("swallowed");
                                      }));
                    }));
    assertThat(failed).hasMessageContaining("nothing was committed");
    assertThat(stored()).isEqualTo(before);
  }

  void nested(Runnable work) {
    boolean unused =
        operations.execute(
            TransactionDefinition.of(TransactionDefinition.Propagation.NESTED),
            status -> {
              work.run();
              return true;
            });
  }

  void append(String type) {
    var unused = outbox.append(Message.event(type).to("things").json("{}").build());
  }

  long stored() {
    return context.getBean(OutboxStore.class).backlog().pending();
  }
}
