package io.postroad.micrometer;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the names of metrics in an expression of Prometheus. */
final class PromQl {
  private static final Pattern NOT_NAMES =
      Pattern.compile(
          "\\{[^}]*}" // matchers
              + "|\\[[^]]*]" // ranges
              + "|\\b(by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)" // labels
              + "|\\boffset\\s+\\w+");
  private static final Pattern WORD = Pattern.compile("([a-zA-Z_:][\\w:]*)(\\s*\\()?");
  private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "NaN", "Inf");

  private PromQl() {}

  static Set<String> metrics(String expression) {
    Set<String> names = new LinkedHashSet<>();
    Matcher found = WORD.matcher(NOT_NAMES.matcher(expression).replaceAll(" "));
    while (found.find()) {
      boolean isFunction = found.group(2) != null;
      if (!OPERATORS.contains(found.group(1)) && !isFunction) {
        names.add(found.group(1));
      }
    }
    return names;
  }
}
