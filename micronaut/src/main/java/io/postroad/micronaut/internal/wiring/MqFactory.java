package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.conventions.StringConvention;
import io.postroad.framework.UnusableConfigurationException;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.jms.MqSettings;
import jakarta.inject.Singleton;
import jakarta.jms.ConnectionFactory;
import java.util.HashMap;
import java.util.Map;

/** Connects to a queue manager of IBM MQ, where the application has IBM's client. */
@Factory
@Requires(classes = {MqSettings.class, ConnectionFactory.class})
@Requires(property = "postroad.mq.host")
final class MqFactory {

  @Singleton
  @Secondary
  ConnectionFactory postroadMqConnections(Environment environment) {
    MqSettings queueManager = settings(environment);
    try {
      return queueManager.connectionFactory();
    } catch (NoClassDefFoundError missing) {
      throw new UnusableConfigurationException(
          "postroad.mq.host is set, but IBM's client is not there.",
          "Add com.ibm.mq:com.ibm.mq.jakarta.client to the application, or take postroad.mq from"
              + " its configuration.",
          missing);
    }
  }

  /**
   * Reads the keys of {@link MqSettings#from}, under postroad. All keys as they were written, so
   * that an unknown key is refused; and each known key by its name, because an environment variable
   * is found only by its name.
   */
  static MqSettings settings(Environment environment) {
    Map<String, String> settings = new HashMap<>();
    environment
        .getProperties("postroad.mq", StringConvention.RAW)
        .forEach((name, value) -> settings.put("mq." + name, String.valueOf(value)));
    for (String key : MqSettings.keys()) {
      environment
          .getProperty("postroad." + key, String.class)
          .ifPresent(value -> settings.put(key, value));
    }
    return Refusals.unlessFit("postroad.mq", () -> MqSettings.from(settings));
  }
}
