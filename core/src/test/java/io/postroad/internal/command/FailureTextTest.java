package io.postroad.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.FailureCode;
import io.postroad.message.JsonCodecException;
import io.postroad.message.PostroadException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FailureTextTest {
  static class InsufficientFundsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InsufficientFundsException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  static final class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unspeakable(Throwable cause) {
      super(cause);
    }

    @Override
    public String getMessage() {
      throw new IllegalStateException("no");
    }
  }

  @Test
  void businessExceptionStaysItselfWhateverCausedIt() {
    assertThat(text(business())).isEqualTo("InsufficientFundsException: balance is 10, needed 25");
  }

  static Stream<Throwable> wrappers() {
    return Stream.of(
        new InvocationTargetException(business()),
        new InvocationTargetException(business(), "called"),
        new UndeclaredThrowableException(business(), "undeclared"),
        new ExecutionException("in a task", business()),
        new CompletionException("in a stage", business()),
        new CommandFailure(FailureCode.INVALID, business()),
        new JsonCodecException("the constructor threw", business()),
        new RuntimeException("transfer failed", business()),
        new Exception("transfer failed", business()),
        new IllegalStateException(business()),
        new PostroadException(business().toString(), business()),
        new IllegalStateException(null, business()),
        new CompletionException(new ExecutionException(new RuntimeException(business()))));
  }

  @ParameterizedTest
  @MethodSource("wrappers")
  void wrapperIsSkipped(Throwable wrapper) {
    assertThat(text(wrapper)).isEqualTo("InsufficientFundsException: balance is 10, needed 25");
  }

  @Test
  void wrapperAroundNothingIsAllThereIs() {
    assertThat(text(new RuntimeException("why"))).isEqualTo("RuntimeException: why");
    assertThat(text(new IllegalStateException())).isEqualTo("IllegalStateException");
    assertThat(text(new ExecutionException("task", null))).isEqualTo("ExecutionException: task");
  }

  @Test
  void anonymousClassGoesByTheOneItExtends() {
    Throwable anonymous = new InsufficientFundsException("none", new IOException("x")) {};

    assertThat(text(anonymous)).isEqualTo("InsufficientFundsException: none");
  }

  @Test
  void circleOfCausesEnds() {
    RuntimeException first = new RuntimeException("first");
    RuntimeException second = new RuntimeException("second", first);
    first.initCause(second);

    assertThat(text(first)).startsWith("RuntimeException: ");
  }

  @Test
  void exceptionThatCannotSpeakIsNamed() {
    assertThat(text(new Unspeakable(business())))
        .startsWith("Unspeakable: its message cannot be read");
  }

  @Test
  void textIsBoundedAndStorable() {
    assertThat(FailureText.of(new IllegalStateException("x".repeat(1000)), 100))
        .hasSize(100)
        .endsWith("...");
    assertThat(text(new IllegalStateException("a\u0000b"))).isEqualTo("IllegalStateException: a?b");
  }

  private static Throwable business() {
    return new InsufficientFundsException(
        "balance is 10, needed 25", new IOException("socket closed"));
  }

  private static String text(Throwable failure) {
    return FailureText.of(failure, 500);
  }
}
