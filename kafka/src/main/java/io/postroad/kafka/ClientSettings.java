package io.postroad.kafka;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;

/** Checks settings for Kafka clients, with the same error texts for all of them. */
final class ClientSettings {
  private ClientSettings() {}

  static void requireServers(Map<String, Object> all) {
    if (!all.containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
      throw new IllegalArgumentException(
          "bootstrap.servers must be set, for example broker1:9092,broker2:9092");
    }
  }

  static void refuse(Map<String, Object> all, String name, String why) {
    if (all.containsKey(name)) {
      throw new IllegalArgumentException(
          "%s must not be set: %s; leave it out".formatted(name, why));
    }
  }

  /** Sets a value that must not differ; a user's setting must be one of the allowed values. */
  static void enforce(Map<String, Object> all, String name, List<String> allowed, String why) {
    Object given = all.putIfAbsent(name, allowed.get(0));
    if (given != null && !allowed.contains(text(given))) {
      throw new IllegalArgumentException(
          "%s must be %s, got %s: %s; leave it out".formatted(name, allowed.get(0), given, why));
    }
  }

  static void refuse(Map<String, Object> all, String name, String value, String why) {
    Object given = all.get(name);
    if (given != null && text(given).equals(value)) {
      throw new IllegalArgumentException("%s must not be %s: %s".formatted(name, given, why));
    }
  }

  /**
   * Returns the user's number or the default. Puts it back as text, which Kafka accepts for every
   * numeric type.
   */
  static long number(Map<String, Object> all, String name, long otherwise) {
    Object given = all.getOrDefault(name, otherwise);
    try {
      String digits = String.valueOf(given).trim();
      all.put(name, digits);
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s must be a whole number, got %s".formatted(name, given), e);
    }
  }

  static void atMost(String name, long value, long limit, String limitName) {
    if (value < 0 || value > limit) {
      throw new IllegalArgumentException(
          "%s must be between 0 and %s (%d), got %d".formatted(name, limitName, limit, value));
    }
  }

  static String text(Object value) {
    return String.valueOf(value).trim().toLowerCase(Locale.ROOT);
  }
}
