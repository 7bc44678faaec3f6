package io.postroad.micronaut.internal.settings;

import io.postroad.micronaut.UnusableConfigurationException;
import java.util.Locale;

/**
 * Reads a switch as a Boolean, however it is written: {@code TRUE} from an environment variable is
 * as good as {@code true}. What is neither yes nor no is refused, because either reading of it
 * would turn something on or off without a word.
 */
final class Switch {
  private Switch() {}

  /**
   * Whether it is on. The words are Micronaut's own.
   *
   * @throws UnusableConfigurationException when the text is neither yes nor no
   */
  static boolean isOn(String property, String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true", "yes", "y", "on" -> true;
      case "false", "no", "n", "off" -> false;
      default ->
          throw new UnusableConfigurationException(
              "%s is '%s', which is neither true nor false.".formatted(property, text),
              "Set %s to true or false, or leave it out.".formatted(property));
    };
  }
}
