package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import io.postroad.message.PostroadException;
import java.io.IOException;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which failures of the database may be gone at the next attempt, and which are not. */
class CommandTransientTest {
  private static final ServerAddress SERVER = new ServerAddress("localhost");

  static Stream<Throwable> passing() {
    return Stream.of(
        labelled("TransientTransactionError"),
        labelled("UnknownTransactionCommitResult"),
        labelled("RetryableWriteError"),
        answer(112),
        answer(24),
        new MongoSocketReadException("reset", SERVER),
        new MongoNotPrimaryException(new BsonDocument(), SERVER),
        new MongoNodeIsRecoveringException(new BsonDocument(), SERVER),
        new MongoTimeoutException("no primary"),
        new MongoOperationTimeoutException("no primary in time"));
  }

  @ParameterizedTest
  @MethodSource("passing")
  void passes(Throwable failure) {
    assertThat(MongoErrors.mayPass(failure)).isTrue();
  }

  /** Duplicate key, unauthorized, bad value, document validation, too large, no such command. */
  static Stream<Throwable> staying() {
    return Stream.of(
        answer(11000),
        answer(13),
        answer(2),
        answer(121),
        answer(10334),
        answer(59),
        labelled("AnotherLabel"),
        new MongoClientException("not possible"),
        new MongoSecurityException(null, "wrong password"),
        new IOException("reset"),
        new IllegalStateException("of the handler"),
        new PostroadException("only its cause is", labelled("TransientTransactionError")));
  }

  @ParameterizedTest
  @MethodSource("staying")
  void stays(Throwable failure) {
    assertThat(MongoErrors.mayPass(failure)).isFalse();
  }

  private static MongoException labelled(String label) {
    MongoException failure = new MongoException("failed");
    failure.addLabel(label);
    return failure;
  }

  private static MongoException answer(int code) {
    return new MongoCommandException(
        new BsonDocument("ok", new BsonInt32(0)).append("code", new BsonInt32(code)), SERVER);
  }
}
