package io.postroad.jms;

import static io.postroad.jms.TestQueues.large;
import static io.postroad.jms.TestQueues.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxOptions;
import io.postroad.inbox.InboxSignal;
import io.postroad.inbox.JsonHandler;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.Message;
import io.postroad.outbox.RelayOptions;
import io.postroad.servers.ArtemisServer;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import io.postroad.test.InMemoryOrderedStore;
import io.postroad.test.InMemoryTransaction;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages at the limits or beyond: each has a clear outcome, and the next message is handled. */
@Timeout(120)
class JmsOddMessagesTest {
  private static final TestQueues QUEUES = new TestQueues(ArtemisServer.shared());

  private final String queue = QUEUES.create();
  private final InMemoryOrderedStore store = new InMemoryOrderedStore();
  private final BlockingQueue<Message> handled = new LinkedBlockingQueue<>();
  private final BlockingQueue<InboxSignal.MovedToRetry> moved = new LinkedBlockingQueue<>();

  @SuppressWarnings("NullAway.Init")
  private Inbox<InMemoryTransaction> inbox;

  @SuppressWarnings("NullAway.Init")
  private JmsReceiver receiver;

  @BeforeEach
  void start() {
    JsonHandler<InMemoryTransaction, Object> json =
        JsonHandler.of(
            JacksonJsonCodec.create(),
            Object.class,
            (value, message, context) -> handled.add(message));
    inbox =
        Inbox.builder(
                store.inbox(),
                Handlers.<InMemoryTransaction>builder().onAny(queue, "json", json).build())
            .retries(store)
            .observer(
                signal -> {
                  if (signal instanceof InboxSignal.MovedToRetry toRetry) {
                    moved.add(toRetry);
                  }
                })
            .options(InboxOptions.defaults().withRetries(RelayOptions.defaults().withBreakAfter(0)))
            .build();
    // Only one consumer, so that it must survive.
    receiver =
        JmsReceiver.create(
            QUEUES.connections(), JmsReceiverOptions.defaults().withConcurrency(1), inbox);
    receiver.start();
  }

  @AfterEach
  void end() {
    receiver.close();
    inbox.close();
    store.close();
  }

  @Test
  void aBodyOfNineHundredKilobytesIsHandled() throws Exception {
    send(session -> session.createTextMessage("\"" + "x".repeat(900 * 1024) + "\""));

    assertThat(nextHandled().payload().size()).isEqualTo(900 * 1024 + 2);
    assertThatTheNextMessageIsHandled();
  }

  @Test
  void aBodyOfFiveMegabytesBecomesADeadLetterWithItsBytes() throws Exception {
    Message big = large("Big", queue, "k", 5 * 1024 * 1024);
    try (JmsSender sender = JmsSender.create(QUEUES.connections())) {
      Outcomes.accepted(Outcomes.sendOne(sender, big));
    }

    DeadLetter dead = deadLetter();
    assertThat(dead.error()).contains("its body has 5242880 bytes, the limit is 1048576");
    assertThat(dead.message().payload()).isEqualTo(big.payload());
    assertThat(dead.message().type()).isEqualTo("Big");
    assertThatTheNextMessageIsHandled();
  }

  @Test
  void twoMessagesWithABlankIdAreDifferentMessages() throws Exception {
    for (String body : List.of("1", "2")) {
      send(
          session -> {
            TextMessage message = session.createTextMessage(body);
            message.setStringProperty("event_id", null);
            message.setStringProperty("reply_to", null);
            return message;
          });
    }

    Message first = nextHandled();
    assertThat(nextHandled().id()).isNotEqualTo(first.id());
    assertThat(first.headers()).doesNotContainValue("null");
  }

  @Test
  void invalidUtf8BecomesADeadLetterWithItsBytes() throws Exception {
    byte[] bytes = {'"', (byte) 0xc3, (byte) 0x28, '"'};
    send(
        session -> {
          BytesMessage message = session.createBytesMessage();
          message.writeBytes(bytes);
          return message;
        });

    DeadLetter dead = deadLetter();
    assertThat(dead.error()).contains("not UTF-8 text");
    assertThat(dead.message().payload().bytes()).isEqualTo(bytes);
    assertThatTheNextMessageIsHandled();
  }

  @Test
  void invalidJsonBecomesADeadLetter() throws Exception {
    send(session -> session.createTextMessage("{\"a\":"));

    assertThat(deadLetter().message().payload().text()).contains("{\"a\":");
    assertThatTheNextMessageIsHandled();
  }

  @Test
  void tenThousandNestedArraysBecomeADeadLetter() throws Exception {
    String deep = "[".repeat(10_000) + "]".repeat(10_000);
    send(session -> session.createTextMessage(deep));

    assertThat(deadLetter().message().payload().text()).contains(deep);
    assertThatTheNextMessageIsHandled();
  }

  @Test
  void aMessageWithAThousandHeadersBecomesADeadLetter() throws Exception {
    send(
        session -> {
          var message = session.createTextMessage("{}");
          for (int i = 0; i < 1_000; i++) {
            message.setStringProperty("h" + i, "v" + i);
          }
          return message;
        });

    assertThat(deadLetter().error()).contains("it has 1000 headers, the limit is 64");
    assertThatTheNextMessageIsHandled();
  }

  @Test
  void unsupportedKindsBecomeDeadLettersThatNameTheKind() throws Exception {
    send(
        session -> {
          MapMessage map = session.createMapMessage();
          map.setString("a", "b");
          return map;
        });
    assertThat(deadLetter().error()).contains("it is a JMS MapMessage");
    send(
        session -> {
          StreamMessage stream = session.createStreamMessage();
          stream.writeInt(1);
          return stream;
        });
    assertThat(deadLetter().error()).contains("it is a JMS StreamMessage");
    send(session -> session.createObjectMessage(new java.util.ArrayList<>(List.of("x"))));
    assertThat(deadLetter().error()).contains("it is a JMS ObjectMessage");
    assertThatTheNextMessageIsHandled();
  }

  @Test
  void aMessageOfAnotherSenderIsHandled() throws Exception {
    send(
        session -> {
          var message = session.createTextMessage("{}");
          message.setJMSType("Theirs");
          message.setJMSCorrelationID("c-1");
          message.setIntProperty("order_number", 7);
          message.setStringProperty("JMSXGroupID", "group");
          return message;
        });

    Message message = nextHandled();
    assertThat(message.type()).isEqualTo("Theirs");
    assertThat(message.key()).contains("group");
    assertThat(message.headers())
        .isEqualTo(Map.of("order-number", "7", JmsReceiver.CORRELATION_HEADER, "c-1"));
  }

  @Test
  void messagesWithoutAnyIdAreDifferentMessages() throws Exception {
    try (Connection connection = QUEUES.connections().createConnection();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
      var producer = session.createProducer(session.createQueue(queue));
      producer.setDisableMessageID(true);
      producer.send(session.createTextMessage("1"));
      producer.send(session.createTextMessage("2"));
    }

    assertThat(nextHandled().payload().text()).contains("1");
    assertThat(nextHandled().payload().text()).contains("2");
  }

  private interface MessageFactory {
    jakarta.jms.Message of(Session session) throws JMSException;
  }

  private void send(MessageFactory factory) throws JMSException {
    try (Connection connection = QUEUES.connections().createConnection();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
      session.createProducer(session.createQueue(queue)).send(factory.of(session));
    }
  }

  private Message nextHandled() throws InterruptedException {
    Message message = handled.poll(30, TimeUnit.SECONDS);
    assertThat(message).as("handled; moved to the retry line: %s", moved).isNotNull();
    return message;
  }

  /** Returns the message that moved to the retry line and became a dead letter, and discards it. */
  private DeadLetter deadLetter() throws InterruptedException {
    assertThat(moved.poll(30, TimeUnit.SECONDS)).as("moved to the retry line").isNotNull();
    inbox.runOnce();
    List<DeadLetter> dead = store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 100);
    assertThat(dead).hasSize(1);
    var unused =
        store.deadLetters().discard(List.of(dead.get(0).id()), new Decision("test", "looked at"));
    return dead.get(0);
  }

  private void assertThatTheNextMessageIsHandled() throws InterruptedException {
    try (JmsSender sender = JmsSender.create(QUEUES.connections())) {
      Outcomes.accepted(Outcomes.sendOne(sender, message("Next", queue, "next")));
    }
    assertThat(nextHandled().type()).isEqualTo("Next");
  }
}
