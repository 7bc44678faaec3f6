package io.postroad.spring.boot.internal;

import jakarta.jms.ConnectionFactory;
import org.springframework.boot.jms.ConnectionFactoryUnwrapper;
import org.springframework.util.ClassUtils;

/**
 * Removes the cache that Spring Boot puts around the application's connections to JMS. A close must
 * close the connection, with all uncommitted work on it, and a new session must show that the
 * broker answers.
 */
public final class JmsConnections {
  private static final boolean IS_BOOT =
      ClassUtils.isPresent(
          "org.springframework.boot.jms.ConnectionFactoryUnwrapper",
          JmsConnections.class.getClassLoader());

  private JmsConnections() {}

  public static ConnectionFactory plain(ConnectionFactory connections) {
    return IS_BOOT ? Boot.plain(connections) : connections;
  }

  /** Loaded only where the class of Spring Boot exists. */
  private static final class Boot {
    static ConnectionFactory plain(ConnectionFactory connections) {
      return ConnectionFactoryUnwrapper.unwrapCaching(connections);
    }
  }
}
