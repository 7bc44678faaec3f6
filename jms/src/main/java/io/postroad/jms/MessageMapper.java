package io.postroad.jms;

import io.postroad.message.Message;
import io.postroad.message.Payload;
import io.postroad.message.WireHeaders;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.Optional;

/** Converts a message to a JMS message, as the table of {@link JmsSender} describes. */
final class MessageMapper {
  static final String GROUP = "JMSXGroupID";

  private MessageMapper() {}

  static jakarta.jms.Message jmsMessage(Session session, Message message) throws JMSException {
    jakarta.jms.Message mapped = body(session, message.payload());
    mapped.setJMSType(message.type());
    if (message.key().isPresent()) {
      mapped.setStringProperty(GROUP, message.key().get());
    }
    for (var header : WireHeaders.of(message).entrySet()) {
      mapped.setStringProperty(HeaderNames.property(header.getKey()), header.getValue());
    }
    return mapped;
  }

  private static jakarta.jms.Message body(Session session, Payload payload) throws JMSException {
    Optional<String> text = payload.text();
    if (text.isPresent()) {
      return session.createTextMessage(text.get());
    }
    BytesMessage bytes = session.createBytesMessage();
    bytes.writeBytes(payload.bytes());
    return bytes;
  }
}
