package io.postroad.micronaut.internal.settings;

import io.postroad.framework.UnusableConfigurationException;
import java.util.Locale;

/**
 * Reads a switch in all spellings of Micronaut: {@code TRUE} from an environment variable counts as
 * {@code true}. Text that is neither true nor false is refused, because each reading of it would
 * silently turn a part on or off.
 */
final class Switch {
  private Switch() {}

  /**
   * Returns whether the switch is on.
   *
   * @throws UnusableConfigurationException if the text is neither true nor false
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
