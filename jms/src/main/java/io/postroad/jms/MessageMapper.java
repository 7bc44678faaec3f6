package io.postroad.jms;

import io.postroad.message.Message;
import io.postroad.message.MessageCategory;
import io.postroad.message.Payload;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.Optional;

/** A message as a JMS message; the table of {@link JmsSender} says what goes where. */
final class MessageMapper {
  static final String GROUP = "JMSXGroupID";

  private MessageMapper() {}

  static jakarta.jms.Message jmsMessage(Session session, Message message) throws JMSException {
    jakarta.jms.Message mapped = body(session, message.payload());
    mapped.setJMSType(message.type());
    if (message.key().isPresent()) {
      mapped.setStringProperty(GROUP, message.key().get());
    }
    for (var header : message.headers().entrySet()) {
      set(mapped, header.getKey(), header.getValue());
    }
    set(mapped, "event-id", message.id().toString());
    set(mapped, "event-type", message.type());
    if (!message.payload().contentType().equals(Payload.JSON)) {
      set(mapped, "content-type", message.payload().contentType());
    }
    if (message.category() != MessageCategory.EVENT) {
      set(mapped, "postroad-category", message.category().wireName());
    }
    if (message.schemaVersion() != 1) {
      set(mapped, "postroad-schema-version", String.valueOf(message.schemaVersion()));
    }
    setIfPresent(mapped, "postroad-aggregate-type", message.aggregateType());
    setIfPresent(mapped, "postroad-aggregate-id", message.aggregateId());
    setIfPresent(mapped, "postroad-tenant", message.tenant());
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

  private static void setIfPresent(
      jakarta.jms.Message mapped, String header, Optional<String> value) throws JMSException {
    if (value.isPresent()) {
      set(mapped, header, value.get());
    }
  }

  private static void set(jakarta.jms.Message mapped, String header, String value)
      throws JMSException {
    mapped.setStringProperty(HeaderNames.property(header), value);
  }
}
