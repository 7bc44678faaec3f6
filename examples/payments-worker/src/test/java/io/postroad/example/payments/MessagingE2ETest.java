package io.postroad.example.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.repository.AccountRepository;
import io.postroad.example.payments.infrastructure.messaging.Queues;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.UUID;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Other services, which only know the queues of this one. */
class MessagingE2ETest {
  private static final long PATIENCE_MILLIS = 60_000;

  private final RunningApplication application = RunningApplication.shared();
  private final UUID bookingId = UUID.randomUUID();

  @SuppressWarnings("NullAway.Init")
  private Connection connection;

  @SuppressWarnings("NullAway.Init")
  private Session session;

  @BeforeEach
  void connect() throws Exception {
    connection =
        new ActiveMQConnectionFactory(TestServers.artemis().url(), "artemis", "artemis")
            .createConnection();
    session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    connection.start();
  }

  @AfterEach
  void disconnect() throws Exception {
    connection.close();
  }

  private Message asked(UUID accountId, String replies) throws Exception {
    return asked(
        "CreateTransaction",
        """
        {"accountId":"%s","bookingId":"%s","transactionType":"CREDIT",
         "amount":{"amount":7,"currencyCode":"USD"},"description":"From elsewhere"}
        """
            .formatted(accountId, bookingId),
        replies);
  }

  private Message asked(String type, String body, String replies) throws Exception {
    TextMessage command = session.createTextMessage(body);
    command.setJMSType(type);
    command.setStringProperty("idempotency_key", "elsewhere %s %s".formatted(type, bookingId));
    command.setStringProperty("reply_to", replies);
    session.createProducer(session.createQueue(Queues.of(type))).send(command);
    MessageConsumer consumer = session.createConsumer(session.createQueue(replies));
    Message reply = consumer.receive(PATIENCE_MILLIS);
    consumer.close();
    return reply;
  }

  @Test
  void aCommandOfAnotherServiceIsHandledOnceAndRepliedTo() throws Exception {
    UUID accountId = application.account(0);
    String replies = TestServers.artemis().declareQueue("OTHER.REPLY." + bookingId);

    for (int i = 0; i < 2; i++) {
      Message reply = asked(accountId, replies);
      assertThat(reply.getJMSType()).isEqualTo("CommandCompleted");
      assertThat(reply.getBody(String.class)).contains("\"transactionId\"");
    }

    assertEquals(
        Money.of(7, "USD"),
        application
            .bean(AccountRepository.class)
            .findById(accountId)
            .orElseThrow()
            .getAvailableBalance());
  }

  @Test
  void aFailedCommandIsRepliedToWithTheReason() throws Exception {
    String replies = TestServers.artemis().declareQueue("OTHER.REPLY." + bookingId);
    Message reply = asked(UUID.randomUUID(), replies);
    assertThat(reply.getJMSType()).isEqualTo("CommandFailed");
    assertThat(reply.getBody(String.class)).contains("UnknownAccountException");
  }

  /** The queues of two commands have no common order. */
  @Test
  void aStepHasNoEffectAfterItsUndo() throws Exception {
    UUID accountId = application.account(0);
    String replies = TestServers.artemis().declareQueue("OTHER.REPLY." + bookingId);

    Message undone =
        asked(
            "ReverseTransaction",
            "{\"accountId\":\"%s\",\"bookingId\":\"%s\"}".formatted(accountId, bookingId),
            replies);
    Message late = asked(accountId, replies);

    assertThat(undone.getJMSType()).isEqualTo("CommandCompleted");
    assertThat(late.getJMSType()).isEqualTo("CommandFailed");
    assertThat(late.getBody(String.class)).contains("BookingClosedException");
    assertThat(application.count("transaction WHERE booking_id = '" + bookingId + "'")).isZero();
  }

  /** Services share the reply queue, so a reply to another service stays there. */
  @Test
  void aReplyToAnotherServiceStaysInTheQueue() throws Exception {
    TextMessage foreign = session.createTextMessage("{}");
    foreign.setJMSType("CommandCompleted");
    foreign.setStringProperty("reply_owner", "other " + bookingId);
    session.createProducer(session.createQueue(Queues.REPLIES)).send(foreign);

    // The selector of another service skips the replies to this one.
    var unused = application.account(1);

    MessageConsumer owner =
        session.createConsumer(
            session.createQueue(Queues.REPLIES), "reply_owner = 'other " + bookingId + "'");
    assertThat(owner.receive(PATIENCE_MILLIS)).isNotNull();
  }

  @Test
  void aPaymentIsPublishedWhenItIsCommitted() throws Exception {
    UUID accountId = application.account(10);
    var unused = application.ended(application.pay(bookingId, accountId, 1, 1, "USD"));

    MessageConsumer others = session.createConsumer(session.createQueue(Queues.PAYMENTS));
    Message event = others.receive(PATIENCE_MILLIS);
    while (!event.getBody(String.class).contains(bookingId.toString())) {
      event = others.receive(PATIENCE_MILLIS);
    }
    assertThat(event.getJMSType()).isEqualTo("PaymentSubmitted");
    assertThat(event.getBody(String.class))
        .contains("\"debitAmount\":{\"amount\":1.0000,\"currencyCode\":\"USD\"}");
  }
}
