package io.postroad.internal.command;

import io.postroad.internal.loop.ErrorText;
import io.postroad.message.JsonCodecException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the text of a failure: {@code SimpleClassName: message} of the first exception in the chain
 * of causes that is more than a wrapper. A business exception is used as it is.
 */
final class FailureText {
  /** Longest chain of causes that is followed: a longer one may be a circle. */
  private static final int DEEPEST = 20;

  private static final List<Class<? extends Throwable>> WRAPPERS =
      List.of(
          CommandFailure.class,
          InvocationTargetException.class,
          UndeclaredThrowableException.class,
          ExecutionException.class,
          CompletionException.class);

  /** Causes that say no more than the codec does, or quote the payload. */
  private static final List<String> OF_CODECS =
      List.of("io.postroad.jackson.", "tools.jackson.", "com.fasterxml.jackson.");

  private FailureText() {}

  /** Returns the text, cut to {@code maxLength} characters and fit to be stored. */
  static String of(Throwable failure, int maxLength) {
    return ErrorText.bounded(ErrorText.of(meaningful(failure)), maxLength);
  }

  private static Throwable meaningful(Throwable failure) {
    Throwable current = failure;
    for (int depth = 0; depth < DEEPEST; depth++) {
      @Nullable Throwable cause = current.getCause();
      if (cause == null || !isWrapper(current, cause)) {
        return current;
      }
      current = cause;
    }
    return current;
  }

  private static boolean isWrapper(Throwable failure, Throwable cause) {
    if (failure instanceof JsonCodecException) {
      return OF_CODECS.stream().noneMatch(cause.getClass().getName()::startsWith);
    }
    Class<?> type = failure.getClass();
    return type.equals(RuntimeException.class)
        || type.equals(Exception.class)
        || WRAPPERS.stream().anyMatch(wrapper -> wrapper.isInstance(failure))
        || saysNothing(failure, cause);
  }

  /** Tells whether it has no message, or the one that {@code new XException(cause)} makes. */
  private static boolean saysNothing(Throwable failure, Throwable cause) {
    try {
      @Nullable String message = failure.getMessage();
      return message == null || message.equals(cause.toString());
    } catch (RuntimeException | Error unspeakable) {
      return false;
    }
  }
}
