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

/** Creates queues under new names, and browses their messages. */
record TestQueues(ArtemisServer server) {

  static String freshName() {
    return "T." + UUID.randomUUID().toString().replace('-', '.');
  }

  String create() {
    return server.declareQueue(freshName());
  }

  /** Creates a queue for which the broker refuses messages above this size in bytes. */
  String createLimited(int maxBytes) {
    return server.declareQueue(freshName() + ".max-" + maxBytes);
  }

  ConnectionFactory connections() {
    return new ActiveMQConnectionFactory(server.url());
  }

  /** Returns all messages in the queue, in order, without removing them. */
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

  /** Returns the types of the messages in the queue, in order. */
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

  /** Returns a small message with a type and a key. */
  static Message message(String type, String queue, String key) {
    return Message.event(type).to(queue).key(key).json("{}").build();
  }

  /** Returns a message with a payload of this size in bytes. */
  static Message large(String type, String queue, String key, int bytes) {
    return Message.event(type).to(queue).key(key).json("x".repeat(bytes)).build();
  }
}
