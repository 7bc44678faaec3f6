package io.postroad.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Removes all messages from a queue until it is closed, and records their types. */
final class TestConsumer implements AutoCloseable {
  private final Connection connection;
  private final Queue<String> types = new ConcurrentLinkedQueue<>();

  TestConsumer(ConnectionFactory connections, String queue) throws JMSException {
    connection = connections.createConnection();
    Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    session
        .createConsumer(session.createQueue(queue))
        .setMessageListener(
            message -> {
              try {
                types.add(message.getJMSType());
              } catch (JMSException e) {
                throw new IllegalStateException(e);
              }
            });
    connection.start();
  }

  List<String> types() {
    return List.copyOf(types);
  }

  @Override
  public void close() throws JMSException {
    connection.close();
  }
}
