package io.postroad.framework.internal.settings;

/** The destination of messages that {@code postroad.relay.transport} asks for. */
public enum TransportKind {
  /** The broker of the application; refused when it has several, or none. */
  AUTO,
  /** Kafka, by the application's connection settings. */
  KAFKA,
  /** JMS, by the application's ConnectionFactory. */
  JMS,
  /** The handlers of this application, without a broker. */
  LOCAL
}
