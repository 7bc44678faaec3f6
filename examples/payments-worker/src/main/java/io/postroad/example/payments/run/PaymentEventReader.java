package io.postroad.example.payments.run;

import io.postroad.example.payments.infrastructure.messaging.Queues;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Receives the payment events from their queue, as another service would. Used by one thread. */
final class PaymentEventReader implements AutoCloseable {
  private static final long LOOK_FOR_MILLIS = 200;
  private static final Pattern PAYMENT = Pattern.compile("\"paymentId\":\"([^\"]+)\"");

  private final Connection connection;
  private final MessageConsumer consumer;
  private final Map<UUID, Set<String>> events = new HashMap<>();

  PaymentEventReader(Servers servers) throws JMSException {
    connection =
        new ActiveMQConnectionFactory(servers.brokerUrl(), "artemis", "artemis").createConnection();
    Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    consumer = session.createConsumer(session.createQueue(Queues.PAYMENTS));
    connection.start();
  }

  /** Waits for the events of payments, and returns the different event ids per payment. */
  Map<UUID, Set<String>> await(Set<UUID> payments, Duration atMost) throws JMSException {
    long deadline = System.nanoTime() + atMost.toNanos();
    Message message = consumer.receiveNoWait();
    while (message != null
        || (!events.keySet().containsAll(payments) && System.nanoTime() - deadline < 0)) {
      if (message != null) {
        add(message);
      }
      message = consumer.receive(LOOK_FOR_MILLIS);
    }
    return events;
  }

  private void add(Message message) throws JMSException {
    Matcher payment = PAYMENT.matcher(message.getBody(String.class));
    if (payment.find()) {
      events
          .computeIfAbsent(UUID.fromString(payment.group(1)), id -> new HashSet<>())
          .add(message.getStringProperty("event_id"));
    }
  }

  @Override
  public void close() throws JMSException {
    connection.close();
  }
}
