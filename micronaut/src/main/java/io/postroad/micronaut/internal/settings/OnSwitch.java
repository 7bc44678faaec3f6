package io.postroad.micronaut.internal.settings;

import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;

/** Matches if a part is switched on, as {@link Switch} reads it. */
public abstract class OnSwitch implements Condition {
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

  /** Switches all of Postroad. */
  public static final class Postroad extends OnSwitch {
    public Postroad() {
      super("postroad.enabled", true);
    }
  }

  public static final class Relay extends OnSwitch {
    public Relay() {
      super("postroad.relay.enabled", true);
    }
  }

  public static final class Inbox extends OnSwitch {
    public Inbox() {
      super("postroad.inbox.enabled", true);
    }
  }

  /** Switches commands and processes. */
  public static final class Commands extends OnSwitch {
    public Commands() {
      super("postroad.commands.enabled", true);
    }
  }

  public static final class JmsReceiver extends OnSwitch {
    public JmsReceiver() {
      super("postroad.jms.receiver.enabled", false);
    }
  }

  public static final class Health extends OnSwitch {
    public Health() {
      super("postroad.health.enabled", true);
    }
  }
}
