package io.postroad.spring;

import com.mongodb.MongoException;
import org.jspecify.annotations.Nullable;

/** What the server says may be done about an error; also when Spring has wrapped it. */
final class MongoLabels {
  private MongoLabels() {}

  /** The transaction was undone, and the same again may work. */
  static boolean asksForAnotherRun(Throwable error) {
    return has(error, MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL) && !isUnknownCommit(error);
  }

  /** Nobody knows whether it was committed; only the commit may be repeated. */
  static boolean isUnknownCommit(Throwable error) {
    return has(error, MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
  }

  private static boolean has(Throwable error, String label) {
    for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof MongoException mongo && mongo.hasErrorLabel(label)) {
        return true;
      }
    }
    return false;
  }
}
