package io.postroad.internal.loop;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Error texts as they are stored and signalled: bounded, and free of what a database refuses. */
public final class ErrorText {
  private static final String CUT = "...";

  /** A chain longer than this is a circle, or nobody reads it. */
  private static final int DEEPEST = 20;

  private ErrorText() {}

  public static String of(Throwable error) {
    @Nullable String message = message(error);
    String name = name(error.getClass());
    return message == null ? name : name + ": " + message;
  }

  /** An anonymous class has no name of its own and goes by the one it extends. */
  private static String name(Class<?> type) {
    String name = type.getSimpleName();
    Class<?> above = type.getSuperclass();
    return name.isEmpty() && above != null ? name(above) : name;
  }

  /** Whatever an exception does when it is asked, what went wrong with it must not be lost. */
  private static @Nullable String message(Throwable error) {
    try {
      return error.getMessage();
    } catch (RuntimeException | Error failed) {
      return "its message cannot be had: " + failed.getClass().getSimpleName();
    }
  }

  /** The failure and its causes, from the outside in; a circle of causes ends somewhere. */
  public static List<Throwable> causes(Throwable failure) {
    List<Throwable> chain = new ArrayList<>();
    for (@Nullable Throwable cause = failure;
        cause != null && chain.size() < DEEPEST;
        cause = cause.getCause()) {
      chain.add(cause);
    }
    return chain;
  }

  /** Exceptions often have no message, and senders pass that on. */
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

  /** NUL and lone surrogates cannot be stored as text; an error must never fail its own settle. */
  private static String storable(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> c == 0 || (c >= 0xD800 && c <= 0xDFFF) ? '?' : c)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }
}
