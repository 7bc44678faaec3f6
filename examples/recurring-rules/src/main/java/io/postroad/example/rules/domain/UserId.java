package io.postroad.example.rules.domain;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The id of the owner of a rule. */
public record UserId(String getId) {
  private static final Pattern PATTERN = Pattern.compile("U[0-9]{1,18}");

  public UserId(@Nullable String getId) {
    this.getId = CheckedText.matching("userId", getId, PATTERN, "U10000001");
  }

  /**
   * @throws InvalidRuleException if it is not like {@code U10000001}
   */
  public static UserId of(@Nullable String id) {
    return new UserId(id);
  }
}
