package io.postroad.mongodb.internal.client;

import com.mongodb.DuplicateKeyException;
import com.mongodb.ErrorCategory;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoServerException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteException;
import com.mongodb.bulk.WriteConcernError;
import io.postroad.message.PostroadException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says what an error of the driver means. Decided by type, code and label, never by text. */
public final class MongoErrors {
  private static final int MAX_TEXT = 200;
  private static final int UNAUTHORIZED = 13;
  private static final int WRITE_CONFLICT = 112;
  private static final int LOCK_TIMEOUT = 24;

  /** TransactionTooLarge, TransactionTooLargeForCache, BSONObjectTooLarge. */
  private static final Set<Integer> TOO_LARGE = Set.of(257, 388, 10334);

  private static final Set<Integer> PASSING_CODES = Set.of(WRITE_CONFLICT, LOCK_TIMEOUT);
  private static final Set<String> PASSING_LABELS =
      Set.of(
          MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL,
          MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL,
          "RetryableWriteError");

  /** A timeout is also what a client with time limits gets while there is no primary. */
  private static final Set<Class<? extends MongoException>> PASSING_TYPES =
      Set.of(
          MongoSocketException.class,
          MongoNotPrimaryException.class,
          MongoNodeIsRecoveringException.class,
          MongoConnectionPoolClearedException.class,
          MongoTimeoutException.class);

  private static final Pattern DUPLICATE_IN = Pattern.compile(" index: (\\S+) dup key");

  private MongoErrors() {}

  /** The transaction was undone and the same again may work; also when wrapped by others. */
  public static boolean isTransient(Throwable error) {
    return hasLabel(error, MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
  }

  /**
   * A failure of the database that may be gone at the next attempt: a conflict with others, a lost
   * connection, an election. The exception itself, not its causes; whether the attempt that failed
   * was committed nevertheless, a fence must tell.
   */
  public static boolean mayPass(Throwable failure) {
    if (!(failure instanceof MongoException error)) {
      return false;
    }
    return PASSING_LABELS.stream().anyMatch(error::hasErrorLabel)
        || PASSING_CODES.contains(error.getCode())
        || PASSING_TYPES.stream().anyMatch(type -> type.isInstance(error));
  }

  /**
   * The server refuses what one transaction, or one command, would write; also when wrapped by
   * others. Less at a time may be taken.
   */
  public static boolean isTooLarge(RuntimeException failure) {
    @Nullable MongoException error = in(failure);
    return error != null && TOO_LARGE.contains(code(error));
  }

  /** Returns whether the result of a commit is unknown; only the commit may be repeated. */
  static boolean isUnknownCommit(Throwable error) {
    return hasLabel(error, MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
  }

  /** The driver's error in a failure, or among its causes. */
  public static @Nullable MongoException in(Throwable failure) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof MongoException mongo) {
        return mongo;
      }
    }
    return null;
  }

  private static boolean hasLabel(Throwable error, String label) {
    for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof MongoException mongo && mongo.hasErrorLabel(label)) {
        return true;
      }
    }
    return false;
  }

  /** A unique index has the value already. */
  public static boolean isDuplicateKey(MongoException error) {
    if (error instanceof MongoBulkWriteException bulk) {
      return bulk.getWriteErrors().stream()
          .anyMatch(each -> each.getCategory() == ErrorCategory.DUPLICATE_KEY);
    }
    if (error instanceof MongoWriteException write) {
      return write.getError().getCategory() == ErrorCategory.DUPLICATE_KEY;
    }
    return error instanceof DuplicateKeyException
        || ErrorCategory.fromErrorCode(error.getCode()) == ErrorCategory.DUPLICATE_KEY;
  }

  /** The index that has it already; only the server's text names it. */
  public static Optional<String> duplicateIn(MongoException error) {
    String text =
        error instanceof MongoBulkWriteException bulk
            ? bulk.getWriteErrors().get(0).getMessage()
            : String.valueOf(error.getMessage());
    Matcher index = DUPLICATE_IN.matcher(text);
    return index.find() ? Optional.of(index.group(1)) : Optional.empty();
  }

  public static boolean isWriteConflict(MongoException error) {
    return error.getCode() == WRITE_CONFLICT;
  }

  /** The limit in time was reached: ours, the caller's or the server's. */
  public static boolean isTimeout(MongoException error) {
    return error instanceof MongoOperationTimeoutException
        || ErrorCategory.fromErrorCode(error.getCode()) == ErrorCategory.EXECUTION_TIMEOUT;
  }

  /**
   * An error with which a unit of work is run again, by {@code withTransaction} of the driver too.
   */
  public static MongoException again(String why, Throwable cause) {
    MongoException again = new MongoException(why, cause);
    again.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
    return again;
  }

  /**
   * An exception for {@code what} that could not be done in the caller's transaction. One that asks
   * to run the transaction again stays the driver's own, which {@code withTransaction} of the
   * driver looks for.
   */
  public static RuntimeException inTransaction(String what, MongoException error) {
    return isTransient(error) ? error : failed(what, error);
  }

  /** An exception for {@code what} that could not be done, for example {@code claim messages}. */
  public static PostroadException failed(String what, MongoException error) {
    return new PostroadException(
        "could not %s: %s; %s".formatted(what, brief(error), advice(error)), error);
  }

  private static String advice(MongoException error) {
    if (isTransient(error)) {
      return "other transactions were in the way and nothing of it was done; run the transaction"
          + " again (one that a killed process left open is in the way for up to a minute)";
    }
    if (error instanceof MongoSecurityException || error.getCode() == UNAUTHORIZED) {
      return "the user lacks a right on it; grant it readWrite on the database";
    }
    if (error instanceof MongoTimeoutException
        || error instanceof MongoSocketException
        || error instanceof MongoNotPrimaryException) {
      return "the database cannot be reached or elects a primary, so it may or may not be done; it"
          + " is safe to try again";
    }
    if (isTimeout(error)) {
      return "it took too long and was given up, so it may or may not be done; it is safe to try"
          + " again";
    }
    return "nothing of it was done (code " + code(error) + ")";
  }

  /** Returns the text of a failed write, in a few words. */
  public static String text(RuntimeException failure) {
    return failure instanceof MongoException error
        ? brief(error)
        : String.valueOf(failure.getMessage());
  }

  /**
   * Never the server's whole text, which may contain stored values: the text of a duplicate key
   * does, and so may details of others.
   */
  private static String brief(MongoException error) {
    if (isDuplicateKey(error)) {
      return "duplicate key";
    }
    @Nullable String text = error.getMessage();
    if (error instanceof MongoBulkWriteException bulk) {
      return inBulk(bulk);
    }
    if (text == null) {
      return error.getClass().getSimpleName();
    }
    if (error instanceof MongoServerException) {
      int details = text.indexOf(" The full response is");
      return details < 0 ? text : text.substring(0, details);
    }
    return text;
  }

  /** The first error that the server has given for a document of a bulk write. */
  private static String inBulk(MongoBulkWriteException bulk) {
    @Nullable WriteConcernError concern = bulk.getWriteConcernError();
    String text =
        !bulk.getWriteErrors().isEmpty()
            ? bulk.getWriteErrors().get(0).getMessage()
            : concern == null ? bulk.getClass().getSimpleName() : concern.getMessage();
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
  }

  /** The server's code; a bulk write has codes of its documents only. */
  private static int code(MongoException error) {
    return error instanceof MongoBulkWriteException bulk && !bulk.getWriteErrors().isEmpty()
        ? bulk.getWriteErrors().get(0).getCode()
        : error.getCode();
  }
}
