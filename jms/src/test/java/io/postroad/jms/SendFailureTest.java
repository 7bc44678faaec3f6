package io.postroad.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.TransactionRolledBackException;
import java.io.IOException;
import java.util.List;
import org.apache.activemq.artemis.api.core.ActiveMQAddressFullException;
import org.apache.activemq.artemis.api.core.ActiveMQConnectionTimedOutException;
import org.apache.activemq.artemis.api.core.ActiveMQNotConnectedException;
import org.apache.activemq.artemis.api.core.ActiveMQTransactionOutcomeUnknownException;
import org.junit.jupiter.api.Test;

class SendFailureTest {
  private final Message message = Message.event("T").to("Q").json("{}").build();

  @Test
  void refusalsOfTheMessageOrItsQueueAreRejectedForGood() {
    for (JMSException refusal :
        List.of(
            new InvalidDestinationException("gone"),
            new JMSSecurityException("no"),
            new MessageFormatException("bad"),
            mq("2030", "MQRC_MSG_TOO_BIG_FOR_Q"),
            mq("2031", "MQRC_MSG_TOO_BIG_FOR_Q_MGR"),
            mq("2218", "MQRC_MSG_TOO_BIG_FOR_CHANNEL"),
            mq("2085", "MQRC_UNKNOWN_OBJECT_NAME"),
            mq("2035", "MQRC_NOT_AUTHORIZED"))) {
      Outcomes.rejectedForGood(SendFailure.atOpen(message, refusal));
      Outcomes.rejectedForGood(SendFailure.atSend(message, refusal));
      Outcomes.rejectedForGood(SendFailure.atCommit(message, refusal));
    }
  }

  @Test
  void aFullQueueIsUnknownAndUsesNoAttempt() {
    Outcomes.unknown(SendFailure.atSend(message, new ResourceAllocationException("full")));
    Outcomes.unknown(SendFailure.atCommit(message, new ResourceAllocationException("full")));
  }

  @Test
  void unspecificRefusalsAreRejectedForNow() {
    JMSException other = new IllegalStateException("header too large");
    SendOutcome forNow =
        SendOutcome.Rejected.forNow(
            "the broker refused %s: IllegalStateException: header too large".formatted(message));
    assertThat(SendFailure.atSend(message, other)).isEqualTo(forNow);
    assertThat(SendFailure.atCommit(message, other)).isEqualTo(forNow);
    assertThat(SendFailure.atCommit(message, new TransactionRolledBackException("undone")))
        .isInstanceOf(SendOutcome.Rejected.class);
    Outcomes.unknown(SendFailure.atOpen(message, other));
  }

  @Test
  void failuresOfTheConnectionAreUnknown() {
    for (Exception cause :
        List.of(
            new IOException("reset"),
            new ActiveMQConnectionTimedOutException(),
            new ActiveMQNotConnectedException(),
            new ActiveMQTransactionOutcomeUnknownException(),
            new ActiveMQAddressFullException())) {
      JMSException failure = new JMSException("no");
      failure.initCause(cause);
      Outcomes.unknown(SendFailure.atSend(message, failure));
      Outcomes.unknown(SendFailure.atCommit(message, failure));
    }
    Outcomes.unknown(SendFailure.atCommit(message, mq("2009", "MQRC_CONNECTION_BROKEN")));
    Outcomes.unknown(SendFailure.atCommit(message, new java.lang.IllegalStateException("bug")));
  }

  @Test
  void anExceptionWithoutCauseAtOpenMeansAMissingQueue() {
    JMSException broken = new JMSException("connection lost");
    broken.initCause(new IOException("reset"));
    assertThat(SendFailure.isMissingQueue(new JMSException("There is no queue"))).isTrue();
    assertThat(SendFailure.isMissingQueue(broken)).isFalse();
    assertThat(SendFailure.isMissingQueue(new JMSException("x", "CODE"))).isFalse();
    assertThat(SendFailure.isMissingQueue(mq("2009", "MQRC_CONNECTION_BROKEN"))).isFalse();
    assertThat(SendFailure.isMissingQueue(mq("2085", "MQRC_UNKNOWN_OBJECT_NAME"))).isTrue();
  }

  /** Returns an exception as IBM's client throws it, with the reason in the linked exception. */
  private static JMSException mq(String reason, String name) {
    JMSException failure = new JMSException("JMSWMQ2007: Failed to send a message", "JMSWMQ2007");
    failure.setLinkedException(
        new IOException(
            "JMSCMQ0001: IBM MQ call failed with compcode '2' ('MQCC_FAILED') reason '%s' ('%s')."
                .formatted(reason, name)));
    return failure;
  }
}
