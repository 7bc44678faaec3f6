package io.postroad.jms;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Creates names of queues by the convention {@code {PREFIX}.{TYPE}.{SUFFIX}}, for example {@code
 * APP.CMD.CREATEORDER.Q}. Immutable.
 *
 * <p>Every broker accepts these names, also IBM MQ: at most 48 letters, digits and {@code . / _ %}.
 *
 * @param prefix for example {@code APP.CMD}
 * @param suffix for example {@code Q}
 */
public record QueueNames(String prefix, String suffix) {
  private static final int MAX_LENGTH = 48;
  private static final String COMMAND = "Command";
  private static final String REPLY = "REPLY";

  /**
   * Checks both parts.
   *
   * @throws IllegalArgumentException if a part is wrong; the text names it
   */
  public QueueNames {
    checked(prefix);
    checked(suffix);
  }

  /**
   * Returns the queue of a command type: in upper case, without the suffix {@code Command} of a
   * class name.
   *
   * @throws IllegalArgumentException if the name is too long or has a character that is not allowed
   */
  public String of(String type) {
    String bare =
        type.endsWith(COMMAND) && type.length() > COMMAND.length()
            ? type.substring(0, type.length() - COMMAND.length())
            : type;
    return checked("%s.%s.%s".formatted(prefix, bare.toUpperCase(Locale.ROOT), suffix));
  }

  /** Returns the queue for replies, for example {@code APP.CMD.REPLY.Q}. */
  public String reply() {
    return of(REPLY);
  }

  /**
   * Returns the names in a comma list, which may span several lines and end in a comma.
   *
   * @throws IllegalArgumentException if a name is not allowed; the text has the first such name
   */
  public static List<String> parse(String commaList) {
    List<String> names = new ArrayList<>();
    for (String part : commaList.split(",")) {
      String name = part.strip();
      if (!name.isEmpty() && !names.contains(name)) {
        names.add(checked(name));
      }
    }
    return List.copyOf(names);
  }

  /**
   * Returns the name, or refuses it.
   *
   * @throws IllegalArgumentException if the name is empty, too long or has a character that is not
   *     allowed
   */
  public static String checked(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a queue name must not be empty");
    }
    if (name.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "queue name '%s' has %d characters, IBM MQ allows %d; use a shorter prefix or type"
              .formatted(name, name.length(), MAX_LENGTH));
    }
    for (int i = 0; i < name.length(); i++) {
      if (!isAllowed(name.charAt(i))) {
        throw new IllegalArgumentException(
            "queue name '%s' has the character '%c' at position %d; letters, digits and . / _ %% are"
                    .formatted(name, name.charAt(i), i + 1)
                + " allowed");
      }
    }
    return name;
  }

  private static boolean isAllowed(char c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || "./_%".indexOf(c) >= 0;
  }
}
