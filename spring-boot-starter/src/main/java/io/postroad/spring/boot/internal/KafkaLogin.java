package io.postroad.spring.boot.internal;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;

/** How the application logs in to Kafka, and nothing of how it sends or receives. */
public final class KafkaLogin {
  private KafkaLogin() {}

  public static Map<String, Object> of(
      Map<String, Object> application, KafkaConnectionDetails.Configuration connection) {
    Map<String, Object> settings = new HashMap<>();
    application.forEach(
        (name, value) -> {
          if (name.startsWith("security.") || name.startsWith("ssl.") || name.startsWith("sasl.")) {
            settings.put(name, value);
          }
        });
    @Nullable String protocol = connection.getSecurityProtocol();
    if (protocol != null && !protocol.isEmpty()) {
      settings.put("security.protocol", protocol);
    }
    return settings;
  }
}
