package io.postroad.internal.command.handlers;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

/** Results that need not be there when a handler returns; no reply can be made of them. */
public final class LateResult {
  private static final List<Class<?>> LATE =
      List.of(CompletionStage.class, Future.class, Flow.Publisher.class);

  private LateResult() {}

  public static boolean is(Class<?> type) {
    return LATE.stream().anyMatch(late -> late.isAssignableFrom(type));
  }

  public static IllegalStateException refused(String handler, Class<?> type) {
    return new IllegalStateException(
        "%s returns a %s, whose work would leave the transaction of the command; do the work in the"
                .formatted(handler, type.getSimpleName())
            + " handler and return the value itself, or nothing");
  }
}
