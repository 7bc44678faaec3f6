package io.postroad.command;

/**
 * The names of command types: {@code CreateOrder} for {@code CreateOrderCommand}.
 *
 * <p>Thread-safe, stateless.
 */
public final class CommandType {
  /** Characters of a type. */
  public static final int MAX_LENGTH = 120;

  private static final String SUFFIX = "Command";

  private CommandType() {}

  /**
   * The type of a command class: its simple name without {@code Command}. The classes around a
   * nested one do not count.
   *
   * @throws IllegalArgumentException when the class is not named that way
   */
  public static String of(Class<? extends DomainCommand> command) {
    String name = command.getSimpleName();
    if (!name.endsWith(SUFFIX) || name.length() == SUFFIX.length()) {
      throw new IllegalArgumentException(
          "a command class must be named by its type and 'Command', like CreateOrderCommand, got %s;"
                  .formatted(command.getName())
              + " rename it, or register its handler with on(type, class, handler)");
    }
    return check(name.substring(0, name.length() - SUFFIX.length()));
  }

  /**
   * The type itself, if it is one: 1 to 120 characters, a letter first, then letters, digits, '.',
   * '_' and '-', all of ASCII, because queues are named after it.
   *
   * @throws IllegalArgumentException when it is not, naming the character that is odd
   */
  public static String check(String type) {
    if (type.isEmpty() || type.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a command type must have 1 to %d characters, got %d"
              .formatted(MAX_LENGTH, type.length()));
    }
    for (int i = 0; i < type.length(); i++) {
      refuseOdd(type, i);
    }
    if (!isLetter(type.charAt(0))) {
      throw new IllegalArgumentException(
          "a command type must begin with a letter (A-Z, a-z), got '%c' in '%s'"
              .formatted(type.charAt(0), type));
    }
    return type;
  }

  private static void refuseOdd(String type, int index) {
    char c = type.charAt(index);
    if (!isLetter(c) && !isDigit(c) && c != '.' && c != '_' && c != '-') {
      throw new IllegalArgumentException(
          "a command type may have letters, digits, '.', '_' and '-' only, got %s after '%s'"
              .formatted(shown(c), type.substring(0, index)));
    }
  }

  private static String shown(char c) {
    String code = "U+%04X".formatted((int) c);
    return c >= ' ' && c <= '~' ? "'%c' (%s)".formatted(c, code) : code;
  }

  private static boolean isLetter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
