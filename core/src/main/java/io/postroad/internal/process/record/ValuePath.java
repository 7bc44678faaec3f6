package io.postroad.internal.process.record;

import io.postroad.message.PostroadException;
import org.jspecify.annotations.Nullable;

/**
 * Where in a value we are: {@code GraphData.nodes[2].timeout}. The text is made only when something
 * is wrong, since most values are read and nothing is.
 */
record ValuePath(@Nullable ValuePath parent, String name, int index) {

  static ValuePath of(Class<?> type) {
    return new ValuePath(null, type.getSimpleName(), -1);
  }

  ValuePath component(String component) {
    return new ValuePath(this, component, -1);
  }

  ValuePath element(int position) {
    return new ValuePath(this, "", position);
  }

  /** What is wrong here; the content is never shown, only its class. */
  PostroadException expected(String what, @Nullable Object found) {
    return expected(what, found, null);
  }

  PostroadException expected(String what, @Nullable Object found, @Nullable Throwable cause) {
    String got = found == null ? "nothing" : found.getClass().getSimpleName();
    return new PostroadException("%s must be %s, got %s".formatted(this, what, got), cause);
  }

  PostroadException wrong(String what, @Nullable Throwable cause) {
    return new PostroadException("%s %s".formatted(this, what), cause);
  }

  @Override
  public String toString() {
    String before = parent == null ? "" : parent.toString();
    if (index >= 0) {
      return before + "[" + index + "]";
    }
    return before.isEmpty() ? name : before + "." + name;
  }
}
