package io.postroad.spring.boot.internal;

import io.postroad.framework.internal.settings.KafkaSettings;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;

/** Finds the settings by which the application logs in to Kafka, and no others. */
public final class KafkaLogin {
  private KafkaLogin() {}

  public static Map<String, Object> of(
      Map<String, Object> application, KafkaConnectionDetails.Configuration connection) {
    Map<String, Object> settings = new HashMap<>();
    application.forEach(
        (name, value) -> {
          if (KafkaSettings.isLogin(name)) {
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
