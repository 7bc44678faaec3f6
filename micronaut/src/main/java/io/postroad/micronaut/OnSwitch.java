package io.postroad.micronaut;

import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;

/** Whether a part is switched on, as {@link Switch} reads it. */
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
    return asking
        .getProperty(property, String.class)
        .map(text -> Switch.isOn(property, text))
        .orElse(unlessGiven);
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
