package io.postroad.jms;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.LinkedHashMap;
import java.util.Map;

/** A transacted session and its producers, one per queue. Used by one thread at a time. */
final class PooledSession {
  private static final int MAX_PRODUCERS = 64;

  private final BrokerConnection connection;
  private final Session session;
  private final Map<String, MessageProducer> producers = new LinkedHashMap<>(16, 0.75f, true);

  PooledSession(BrokerConnection connection, Session session) {
    this.connection = connection;
    this.session = session;
  }

  BrokerConnection connection() {
    return connection;
  }

  Session session() {
    return session;
  }

  /** Returns the producer for a queue; fails if the queue cannot be opened. */
  MessageProducer producer(String queue) throws JMSException {
    MessageProducer known = producers.get(queue);
    if (known != null) {
      return known;
    }
    MessageProducer opened = session.createProducer(session.createQueue(queue));
    opened.setDeliveryMode(DeliveryMode.PERSISTENT);
    producers.put(queue, opened);
    if (producers.size() > MAX_PRODUCERS) {
      var eldest = producers.entrySet().iterator();
      MessageProducer unused = eldest.next().getValue();
      eldest.remove();
      unused.close();
    }
    return opened;
  }

  /** Closes the session and rolls back. May block while a broker does not answer. */
  void close() {
    try {
      session.close();
    } catch (JMSException | RuntimeException ignored) {
      // The session is closed because it is no longer used.
    }
  }
}
