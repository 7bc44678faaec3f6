package io.postroad.jms;

import java.util.Locale;
import java.util.Set;

/**
 * Converts header names to JMS property names, which must be Java identifiers, and back.
 *
 * <table>
 * <caption>Encoding; letters and digits stay</caption>
 * <tr><th>header</th><th>property</th><th>example</th></tr>
 * <tr><td>{@code -}</td><td>{@code _}</td><td>{@code event-type}, {@code event_type}</td></tr>
 * <tr><td>{@code _}</td><td>{@code $_}</td><td>{@code order_id}, {@code order$_id}</td></tr>
 * <tr><td>{@code .}</td><td>{@code $$}</td><td>{@code app.region}, {@code app$$region}</td></tr>
 * <tr><td>{@code -} at the beginning (brokers reserve properties that begin with
 *     {@code _})</td><td>{@code $h}</td><td>{@code -x}, {@code $hx}</td></tr>
 * <tr><td>a digit at the beginning; {@code JMS} at the beginning, and words that JMS selectors
 *     reserve, in upper or lower case</td><td>{@code $} before it</td><td>{@code 3d}, {@code $3d};
 *     {@code jmsKind}, {@code $jmsKind}; {@code not}, {@code $not}</td></tr>
 * </table>
 *
 * <p>{@code header(property(name))} is {@code name} for every name that a message may have.
 * Properties of other senders are read by the same rules: their {@code order_id} becomes the header
 * {@code order-id}.
 */
public final class HeaderNames {
  private static final Set<String> RESERVED =
      Set.of("null", "true", "false", "not", "and", "or", "between", "like", "in", "is", "escape");

  private HeaderNames() {}

  /** Returns the name of the JMS property for a header. */
  public static String property(String header) {
    StringBuilder property = new StringBuilder(header.length() + 8);
    if (needsPrefix(header)) {
      property.append('$');
    }
    for (int i = 0; i < header.length(); i++) {
      char c = header.charAt(i);
      switch (c) {
        case '-' -> property.append(i == 0 ? "$h" : "_");
        case '_' -> property.append("$_");
        case '.' -> property.append("$$");
        default -> property.append(c);
      }
    }
    return property.toString();
  }

  /** Returns the name of the header for a JMS property. */
  public static String header(String property) {
    StringBuilder header = new StringBuilder(property.length());
    for (int i = 0; i < property.length(); i++) {
      char c = property.charAt(i);
      if (c == '$' && i + 1 < property.length()) {
        i++;
        header.append(escaped(property.charAt(i)));
      } else {
        header.append(c == '_' ? '-' : c);
      }
    }
    return header.toString();
  }

  private static char escaped(char c) {
    return switch (c) {
      case 'h' -> '-';
      case '$' -> '.';
      default -> c;
    };
  }

  private static boolean needsPrefix(String header) {
    String lower = header.toLowerCase(Locale.ROOT);
    return Character.isDigit(header.charAt(0))
        || lower.startsWith("jms")
        || RESERVED.contains(lower);
  }
}
