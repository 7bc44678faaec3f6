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
 * Checks at start that the queues of an application exist.
 *
 * <p>JMS cannot ask whether a queue exists, so each one is opened for sending and closed again;
 * nothing is sent. A queue that this user may not send to exists. Blocks until the broker has
 * answered; has no state.
 */
public final class RequiredQueues {
  private RequiredQueues() {}

  /**
   * Returns when all of them exist.
   *
   * @throws PostroadException naming all that do not, or when the broker cannot be asked
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
          "cannot check the required queues %s: %s; is the broker running, and may this user connect?"
              .formatted(names, SendFailure.describe(e)),
          e);
    }
    if (!missing.isEmpty()) {
      throw new PostroadException(
          "%d of %d required queues do not exist: %s; create them (for IBM MQ, bin/mq-queues prints the commands), or take them off the list"
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
      if (SendFailure.saysThatTheQueueIsMissing(e)) {
        return false;
      }
      throw e;
    }
  }
}
