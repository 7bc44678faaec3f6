package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.client.ClientSession;
import io.micronaut.transaction.exceptions.NestedTransactionNotSupportedException;
import org.junit.jupiter.api.Test;

/** {@link OtherThreadContract} on MongoDB, which has no savepoints. */
class OtherThreadOnMongoTest extends OtherThreadContract<ClientSession> {
  OtherThreadOnMongoTest() {
    super(Apps.freshMongo("micronaut_threads"));
  }

  @Test
  void micronautItselfRefusesASavepoint() {
    nested(
        () ->
            assertThat(catchThrowable(() -> operations.executeWrite(status -> true)))
                .isInstanceOf(NestedTransactionNotSupportedException.class));
  }
}
