package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.postroad.transaction.NoTransactionException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link OtherThreadContract} on PostgreSQL, and savepoints. */
class OtherThreadOnPostgresTest extends OtherThreadContract<Connection> {
  OtherThreadOnPostgresTest() {
    super(Apps.freshPostgres("micronaut_threads"));
  }

  /** Otherwise it would be done for something that was rolled back. */
  @Test
  void actionsOfASavepointThatIsRolledBackDoNotRun() {
    nested(
        () -> {
          var unused =
              catchThrowable(
                  () ->
                      operations.executeWrite(
                          savepoint -> {
                            transactions.afterCommit(() -> told.add("rolled back"));
                            throw new IllegalStateException("back to the savepoint");
                          }));
        });
    assertThat(told).isEmpty();
  }

  @Test
  void nothingIsWrittenInASavepointAndTheWholeIsNotHarmed() {
    long before = stored();
    List<Throwable> refused = new ArrayList<>();
    nested(
        () -> {
          append("in it");
          boolean unused =
              operations.executeWrite(
                  savepoint -> {
                    refused.add(catchThrowable(() -> append("in the savepoint")));
                    refused.add(catchThrowable(() -> transactions.run(unit -> append("unit"))));
                    refused.add(catchThrowable(() -> transactions.afterCommit(() -> {})));
                    return true;
                  });
        });
    assertThat(refused)
        .hasSize(3)
        .allSatisfy(
            each ->
                assertThat(each)
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("savepoint")
                    .hasMessageContaining("REQUIRES_NEW"));
    assertThat(stored()).isEqualTo(before + 1);
  }
}
