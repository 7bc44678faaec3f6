package io.postroad.micronaut;

import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;
import java.util.Locale;

/**
 * Whether a switch is on. It is read as a Boolean, however it is written: {@code TRUE} from an
 * environment variable is as good as {@code true}. What is neither yes nor no is refused, because
 * either reading of it would turn something on or off without a word.
 */
abstract class OnSwitch implements Condition {
  private final String property;
  private final boolean unlessGiven;

  private OnSwitch(String property, boolean unlessGiven) {
    this.property = property;
    this.unlessGiven = unlessGiven;
  }

  @Override
  @SuppressWarnings("rawtypes") // as the interface has it
  public boolean matches(ConditionContext context) {
    ConditionContext<?> asking = context;
    return asking.getProperty(property, String.class).map(this::isOn).orElse(unlessGiven);
  }

  /** The words are Micronaut's own. */
  private boolean isOn(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true", "yes", "y", "on" -> true;
      case "false", "no", "n", "off" -> false;
      default ->
          throw new UnusableConfigurationException(
              "%s is '%s', which is neither true nor false.".formatted(property, text),
              "Set %s to true or false, or leave it out.".formatted(property));
    };
  }

  /** All of Postroad. */
  static final class Postroad extends OnSwitch {
    Postroad() {
      super("postroad.enabled", true);
    }
  }

  static final class Relay extends OnSwitch {
    Relay() {
      super("postroad.relay.enabled", true);
    }
  }

  static final class Inbox extends OnSwitch {
    Inbox() {
      super("postroad.inbox.enabled", true);
    }
  }

  /** Commands and processes. */
  static final class Commands extends OnSwitch {
    Commands() {
      super("postroad.commands.enabled", true);
    }
  }

  static final class JmsReceiver extends OnSwitch {
    JmsReceiver() {
      super("postroad.jms.receiver.enabled", false);
    }
  }

  static final class Health extends OnSwitch {
    Health() {
      super("postroad.health.enabled", true);
    }
  }
}
