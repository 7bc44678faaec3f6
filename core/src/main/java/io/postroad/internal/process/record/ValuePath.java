package io.postroad.internal.process.record;

import io.postroad.message.PostroadException;
import org.jspecify.annotations.Nullable;

/**
 * The path to a part of a value: {@code GraphData.nodes[2].timeout}. The text is built only for an
 * error.
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

  /** Returns an error with this path; it never contains the content, only its class. */
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
