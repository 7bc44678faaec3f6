package io.postroad.framework.internal.settings;

/** The properties {@code postroad.metrics.*}. An empty name counts as not given. */
public interface MetricsSettings {
  String outbox();

  /** Returns the name of the outbox in meters, by default that of the application. */
  default String outboxOr(String application) {
    return outbox().isEmpty() ? application : outbox();
  }

  /** Returns the name of the retry line in meters. */
  default String retryLineOr(String application) {
    return outboxOr(application) + "-retry";
  }
}
