package io.postroad.spring.boot.internal;

import jakarta.jms.ConnectionFactory;
import org.springframework.boot.jms.ConnectionFactoryUnwrapper;
import org.springframework.util.ClassUtils;

/**
 * The application's connections to JMS without the cache that Spring Boot puts around them: a
 * connection that is closed must be closed, with all that is not committed on it, and a session
 * that is opened must show that the broker answers.
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

  /** Only loaded where it is there. */
  private static final class Boot {
    static ConnectionFactory plain(ConnectionFactory connections) {
      return ConnectionFactoryUnwrapper.unwrapCaching(connections);
    }
  }
}
