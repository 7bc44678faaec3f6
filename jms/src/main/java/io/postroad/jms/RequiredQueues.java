package io.postroad.jms;

import io.postroad.message.PostroadException;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Checks when an application starts that its queues exist.
 *
 * <p>JMS has no question for that, so each queue is opened for sending and closed again; no message
 * is sent. A queue without permission to send exists. Blocks until the broker has answered; has no
 * state.
 */
public final class RequiredQueues {
  private RequiredQueues() {}

  /**
   * Returns if all queues exist.
   *
   * @throws PostroadException if queues are missing, naming all of them, or if the broker cannot be
   *     asked
   */
  public static void check(ConnectionFactory connections, Collection<String> names) {
    List<String> missing = new ArrayList<>();
    try (Connection connection = connections.createConnection();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
      for (String name : names) {
        if (!exists(session, name)) {
          missing.add(name);
        }
      }
    } catch (JMSException e) {
      throw new PostroadException(
          "cannot check the required queues %s: %s; is the broker running, may this user connect?"
              .formatted(names, SendFailure.describe(e)),
          e);
    }
    if (!missing.isEmpty()) {
      throw new PostroadException(
          "%d of %d required queues do not exist: %s; create them (bin/mq-queues for IBM MQ)"
              .formatted(missing.size(), names.size(), String.join(", ", missing)));
    }
  }

  private static boolean exists(Session session, String name) throws JMSException {
    try {
      session.createProducer(session.createQueue(name)).close();
      return true;
    } catch (InvalidDestinationException e) {
      return false;
    } catch (JMSSecurityException e) {
      return true;
    } catch (JMSException e) {
      if (SendFailure.isMissingQueue(e)) {
        return false;
      }
      throw e;
    }
  }
}
