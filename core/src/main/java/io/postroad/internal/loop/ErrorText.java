package io.postroad.internal.loop;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes error texts that can be stored: bounded, without characters that a database refuses. */
public final class ErrorText {
  private static final String CUT = "...";

  /** A longer chain of causes is a circle, or too long to read. */
  private static final int DEEPEST = 20;

  private ErrorText() {}

  public static String of(Throwable error) {
    @Nullable String message = message(error);
    String name = name(error.getClass());
    return message == null ? name : name + ": " + message;
  }

  /** Returns the simple name of the class; an anonymous class has the name of its superclass. */
  private static String name(Class<?> type) {
    String name = type.getSimpleName();
    Class<?> above = type.getSuperclass();
    return name.isEmpty() && above != null ? name(above) : name;
  }

  /** Returns the message of an exception, also of one whose {@code getMessage} throws. */
  private static @Nullable String message(Throwable error) {
    try {
      return error.getMessage();
    } catch (RuntimeException | Error failed) {
      return "its message cannot be read: " + failed.getClass().getSimpleName();
    }
  }

  /** Returns the failure and its causes, outermost first; a circle of causes is cut. */
  public static List<Throwable> causes(Throwable failure) {
    List<Throwable> chain = new ArrayList<>();
    for (@Nullable Throwable cause = failure;
        cause != null && chain.size() < DEEPEST;
        cause = cause.getCause()) {
      chain.add(cause);
    }
    return chain;
  }

  /** Returns the error, or a text for a missing one: exceptions often have no message. */
  public static String orUnnamed(@Nullable String error) {
    return error == null ? "no reason given" : error;
  }

  public static String bounded(String error, int maxLength) {
    String cut = error;
    if (cut.length() > maxLength) {
      int end = maxLength - CUT.length();
      boolean splitsPair = Character.isHighSurrogate(cut.charAt(end - 1));
      cut = cut.substring(0, splitsPair ? end - 1 : end) + CUT;
    }
    return storable(cut);
  }

  /**
   * Replaces NUL and lone surrogates, which cannot be stored: an error must not fail its settle.
   */
  private static String storable(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> c == 0 || (c >= 0xD800 && c <= 0xDFFF) ? '?' : c)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }
}
