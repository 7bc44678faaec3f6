package io.postroad.micronaut;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.context.env.Environment;
import io.micronaut.core.naming.conventions.StringConvention;
import io.postroad.jms.MqSettings;
import jakarta.inject.Singleton;
import jakarta.jms.ConnectionFactory;
import java.util.HashMap;
import java.util.Map;

/** Connections to a queue manager of IBM MQ, where the application has IBM's client. */
@Factory
@Requires(classes = {MqSettings.class, ConnectionFactory.class})
@Requires(property = "postroad.mq.host")
final class MqFactory {

  /** The keys of {@link MqSettings#from}, under postroad. */
  @Singleton
  @Secondary
  ConnectionFactory postroadMqConnections(Environment environment) {
    Map<String, String> settings = new HashMap<>();
    environment
        .getProperties("postroad.mq", StringConvention.RAW)
        .forEach((name, value) -> settings.put("mq." + name, String.valueOf(value)));
    MqSettings queueManager = Refused.unlessFit("postroad.mq", () -> MqSettings.from(settings));
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
}
