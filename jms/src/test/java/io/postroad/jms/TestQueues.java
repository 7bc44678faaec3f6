package io.postroad.jms;

import io.postroad.message.Message;
import io.postroad.servers.ArtemisServer;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.UUID;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Queues of one broker: makes them under fresh names, and looks at what is in them. */
record TestQueues(ArtemisServer server) {

  static String freshName() {
    return "T." + UUID.randomUUID().toString().replace('-', '.');
  }

  String create() {
    return server.declareQueue(freshName());
  }

  /** A queue whose broker refuses messages above this many bytes. */
  String createLimited(int maxBytes) {
    return server.declareQueue(freshName() + ".max-" + maxBytes);
  }

  ConnectionFactory connections() {
    return new ActiveMQConnectionFactory(server.url());
  }

  /** Everything in the queue now, in order; it stays there. */
  List<jakarta.jms.Message> browse(String queue) {
    try (Connection connection = connections().createConnection();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
      connection.start();
      try (QueueBrowser browser = session.createBrowser(session.createQueue(queue))) {
        List<jakarta.jms.Message> messages = new ArrayList<>();
        Enumeration<?> all = browser.getEnumeration();
        while (all.hasMoreElements()) {
          messages.add((jakarta.jms.Message) all.nextElement());
        }
        return messages;
      }
    } catch (JMSException e) {
      throw new IllegalStateException("could not browse " + queue, e);
    }
  }

  /** The types of the messages in the queue, in order. */
  List<String> types(String queue) {
    List<String> types = new ArrayList<>();
    for (jakarta.jms.Message message : browse(queue)) {
      try {
        types.add(message.getJMSType());
      } catch (JMSException e) {
        throw new IllegalStateException(e);
      }
    }
    return types;
  }

  /** A small message of a type, with a key. */
  static Message message(String type, String queue, String key) {
    return Message.event(type).to(queue).key(key).json("{}").build();
  }

  /** A message whose payload has this many bytes. */
  static Message large(String type, String queue, String key, int bytes) {
    return Message.event(type).to(queue).key(key).json("x".repeat(bytes)).build();
  }
}
