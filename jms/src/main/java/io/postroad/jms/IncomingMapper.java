package io.postroad.jms;

import io.postroad.inbox.Incoming;
import io.postroad.inbox.IncomingBuilder;
import io.postroad.message.WireHeaders;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Converts a JMS message for the inbox, as the table of {@link JmsReceiver} describes. */
final class IncomingMapper {
  private static final String DELIVERY_COUNT = "JMSXDeliveryCount";

  /**
   * A message may have 64 headers. The two headers that Postroad adds must not exceed that limit.
   */
  private static final int MAX_WITHOUT_OURS = 62;

  /** Limits the bytes that are read of a body that becomes a dead letter anyway. */
  private static final int MAX_READ = 16 * 1024 * 1024;

  private final String queue;
  private final JmsReceiverOptions options;

  IncomingMapper(String queue, JmsReceiverOptions options) {
    this.queue = queue;
    this.options = options;
  }

  Incoming incoming(jakarta.jms.Message message) throws JMSException {
    IncomingBuilder incoming = builder(message);
    try {
      options.messageId().of(message).ifPresent(incoming::messageId);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      incoming.refuse("JmsReceiverOptions.messageId failed: " + SendFailure.describe(e));
    }
    properties(message, incoming);
    body(message, incoming);
    return incoming.build();
  }

  /** Returns a message that cannot be read, without its body and with a refusal. */
  Incoming unreadable(jakarta.jms.Message message, Exception failure) throws JMSException {
    return builder(message).refuse("it cannot be read: " + SendFailure.describe(failure)).build();
  }

  /**
   * Starts a message. Senders may leave out the JMSMessageID; such messages get a random id, so
   * that they are not taken for duplicates of each other.
   */
  private IncomingBuilder builder(jakarta.jms.Message message) throws JMSException {
    @Nullable String id = message.getJMSMessageID();
    return new IncomingBuilder(
        queue,
        id == null || id.isBlank() ? UUID.randomUUID().toString() : id,
        options.maxBodyBytes());
  }

  static int deliveryCount(jakarta.jms.Message message) throws JMSException {
    return message.propertyExists(DELIVERY_COUNT) ? message.getIntProperty(DELIVERY_COUNT) : 1;
  }

  private static void properties(jakarta.jms.Message message, IncomingBuilder incoming)
      throws JMSException {
    @Nullable String type = message.getJMSType();
    if (type != null && !type.isBlank()) {
      incoming.header(WireHeaders.EVENT_TYPE, type);
    }
    int own = 0;
    Enumeration<?> names = message.getPropertyNames();
    while (names.hasMoreElements()) {
      String name = names.nextElement().toString();
      @Nullable Object value = name.startsWith("JMS") ? null : message.getObjectProperty(name);
      if (value != null) {
        own++;
        incoming.header(HeaderNames.header(name), value.toString());
      }
    }
    if (message.propertyExists(MessageMapper.GROUP)) {
      incoming.key(message.getStringProperty(MessageMapper.GROUP));
    }
    if (own > MAX_WITHOUT_OURS) {
      return;
    }
    @Nullable String correlation = message.getJMSCorrelationID();
    if (correlation != null) {
      incoming.header(JmsReceiver.CORRELATION_HEADER, correlation);
    }
    int count = deliveryCount(message);
    if (count > 1) {
      incoming.header(JmsReceiver.DELIVERY_COUNT_HEADER, Integer.toString(count));
    }
  }

  /**
   * Reads the body. Objects are never deserialised, because that would run code of the sender's
   * choice.
   */
  private static void body(jakarta.jms.Message message, IncomingBuilder incoming)
      throws JMSException {
    if (message instanceof TextMessage text) {
      @Nullable String body = text.getText();
      incoming.body(body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8));
    } else if (message instanceof BytesMessage bytes) {
      long length = bytes.getBodyLength();
      byte[] body = new byte[(int) Math.min(length, MAX_READ)];
      int unused = bytes.readBytes(body);
      incoming.body(body);
    } else {
      unreadable(message, "ObjectMessage", ObjectMessage.class, incoming);
      unreadable(message, "MapMessage", MapMessage.class, incoming);
      unreadable(message, "StreamMessage", StreamMessage.class, incoming);
    }
  }

  private static void unreadable(
      jakarta.jms.Message message, String kind, Class<?> type, IncomingBuilder incoming) {
    if (type.isInstance(message)) {
      incoming.refuse(
          "it is a JMS %s, whose body is not read; send a TextMessage or a BytesMessage"
              .formatted(kind));
    }
  }
}
