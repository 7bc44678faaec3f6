package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.env.Environment;
import io.postroad.framework.UnusableConfigurationException;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/**
 * The queues that must exist: those of {@code postroad.jms.required-queues}, and those of IBM MQ's
 * own key. Needs no class of JMS, so that it works where JMS is missing.
 */
@Singleton
final class QueueCheck {
  /** The name of the part that checks the queues. */
  static final String PART = "required queues";

  private static final List<String> KEYS =
      List.of("postroad.jms.required-queues", "postroad.mq.required-queues");

  private final Environment environment;

  QueueCheck(Environment environment) {
    this.environment = environment;
  }

  /** Returns the comma lists as they were written. */
  List<String> required() {
    List<String> lists = new ArrayList<>();
    for (String key : KEYS) {
      environment
          .getProperty(key, String.class)
          .filter(list -> !list.isBlank())
          .ifPresent(lists::add);
    }
    return lists;
  }

  /**
   * Refuses required queues if no part checks them.
   *
   * @throws UnusableConfigurationException if there is no JMS connection to check them with
   */
  void requireCheck(List<Part> parts) {
    if (!required().isEmpty() && parts.stream().noneMatch(part -> part.name().equals(PART))) {
      throw new UnusableConfigurationException(
          "Required queues are given (%s), and there is no JMS connection to look for them with."
              .formatted(String.join(", ", required())),
          "Add postroad-jms and a ConnectionFactory bean, or postroad.mq.host and IBM's client; or"
              + " take required-queues from the configuration.");
    }
  }
}
