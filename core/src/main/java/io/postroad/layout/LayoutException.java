package io.postroad.layout;

import io.postroad.message.PostroadException;
import java.util.List;

/** Thrown when a layout does not fit the table or collection; nothing was changed. */
public final class LayoutException extends PostroadException {
  private static final long serialVersionUID = 1L;
  private final transient List<String> problems;

  /**
   * For stores.
   *
   * @param problems each names a column or a word of the data, and the reason
   */
  public LayoutException(Layout layout, List<String> problems) {
    super(
        "%s does not fit, nothing was changed: %s".formatted(layout, String.join("; ", problems)));
    this.problems = List.copyOf(problems);
  }

  /** Returns the problems; each names a column or a word of the data, and the reason. */
  public List<String> problems() {
    return problems;
  }
}
