package io.postroad.jms;

import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.TransactionRolledBackException;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides the outcome of one message from a failure of JMS.
 *
 * <p>A message is Rejected only if the exception means that this message was refused, or if it was
 * certainly not sent; everything else is Unknown.
 */
final class SendFailure {
  private static final String CREATE_QUEUE = "create the queue, then replay";
  private static final String GRANT_PERMISSION = "let this user send to the queue, then replay";
  private static final String MAKE_SMALLER =
      "make the payload smaller, or raise the limit (MAXMSGL) of queue, queue manager and channel";
  private static final String CHECK_MESSAGE = "check its headers and body";

  private static final int MQ_UNKNOWN_OBJECT = 2085;
  private static final int MQ_NOT_AUTHORISED = 2035;

  /** Too large for the queue, the queue manager or the channel. */
  private static final Set<Integer> MQ_TOO_LARGE = Set.of(2030, 2031, 2218);

  /** IBM MQ's reason code in the exception that is linked to the JMS exception. */
  private static final Pattern MQ_REASON = Pattern.compile("reason '(\\d{4})'");

  /** Names of client exceptions that mean a missing answer or a full queue. */
  private static final Pattern UNRELATED_TO_MESSAGE =
      Pattern.compile(
          "TimedOut|Timeout|Disconnect|NotConnected|OutcomeUnknown|Unblocked|Closed|Interrupted|Full");

  private static final int MAX_CAUSES = 10;

  private SendFailure() {}

  /** Returns the outcome if the queue could not be opened on a working connection. */
  static SendOutcome atOpen(Message message, Exception failure) {
    @Nullable String remedy = isMissingQueue(failure) ? CREATE_QUEUE : remedy(failure);
    return remedy == null ? notSent(message, describe(failure)) : forGood(message, failure, remedy);
  }

  /**
   * Returns the outcome if the send failed on a working connection and the transaction is rolled
   * back.
   */
  static SendOutcome atSend(Message message, Exception failure) {
    return rejected(message, failure)
        .orElseGet(
            () ->
                isUnrelatedToMessage(failure)
                    ? notSent(message, describe(failure))
                    : forNow(message, failure));
  }

  /**
   * Returns the outcome if the commit of this message alone failed on a working connection. Then
   * the broker has answered that it did not commit, unless the client reports a missing answer.
   */
  static SendOutcome atCommit(Message message, Exception failure) {
    return rejected(message, failure)
        .orElseGet(
            () ->
                isUnrelatedToMessage(failure)
                    ? mayHaveArrived(message, describe(failure))
                    : forNow(message, failure));
  }

  static SendOutcome mayHaveArrived(Message message, String why) {
    return new Unknown(
        "sending %s by JMS failed, it may have arrived or not: %s".formatted(message, why));
  }

  static SendOutcome notSent(Message message, String why) {
    return new Unknown("%s was not sent by JMS: %s".formatted(message, why));
  }

  private static Optional<SendOutcome> rejected(Message message, Exception failure) {
    @Nullable String remedy = remedy(failure);
    return remedy == null ? Optional.empty() : Optional.of(forGood(message, failure, remedy));
  }

  private static Rejected forGood(Message message, Exception failure, String remedy) {
    return Rejected.forGood(
        "the broker refused %s: %s; %s".formatted(message, describe(failure), remedy));
  }

  private static Rejected forNow(Message message, Exception failure) {
    return Rejected.forNow("the broker refused %s: %s".formatted(message, describe(failure)));
  }

  /** Returns the remedy for a refusal that a retry cannot change, or null for other failures. */
  private static @Nullable String remedy(Exception failure) {
    int mqReason = mqReason(failure);
    if (MQ_TOO_LARGE.contains(mqReason)) {
      return MAKE_SMALLER;
    }
    if (failure instanceof InvalidDestinationException || mqReason == MQ_UNKNOWN_OBJECT) {
      return CREATE_QUEUE;
    }
    if (failure instanceof JMSSecurityException || mqReason == MQ_NOT_AUTHORISED) {
      return GRANT_PERMISSION;
    }
    return failure instanceof MessageFormatException
            || failure instanceof MessageNotWriteableException
        ? CHECK_MESSAGE
        : null;
  }

  /**
   * Returns whether a queue could not be opened because it does not exist. Some brokers have an
   * exception for that. Artemis's client throws a plain JMSException without a cause, while its
   * exceptions for connection failures have a cause.
   */
  static boolean isMissingQueue(Exception failure) {
    return failure instanceof InvalidDestinationException
        || mqReason(failure) == MQ_UNKNOWN_OBJECT
        || (failure.getClass() == JMSException.class
            && failure.getCause() == null
            && ((JMSException) failure).getLinkedException() == null
            && ((JMSException) failure).getErrorCode() == null);
  }

  /** Returns whether a failure concerns the connection, or a queue or broker that is full. */
  private static boolean isUnrelatedToMessage(Exception failure) {
    if (failure instanceof TransactionRolledBackException) {
      return false;
    }
    if (!(failure instanceof JMSException)
        || failure instanceof ResourceAllocationException
        || mqReason(failure) != 0) {
      return true;
    }
    @Nullable Throwable at = failure;
    for (int i = 0; i < MAX_CAUSES && at != null; i++) {
      if (at instanceof IOException
          || UNRELATED_TO_MESSAGE.matcher(at.getClass().getSimpleName()).find()) {
        return true;
      }
      at = at.getCause();
    }
    return false;
  }

  private static int mqReason(Exception failure) {
    @Nullable Throwable at = failure;
    for (int i = 0; i < MAX_CAUSES && at != null; i++) {
      Matcher reason = MQ_REASON.matcher(String.valueOf(at.getMessage()));
      if (reason.find()) {
        return Integer.parseInt(reason.group(1));
      }
      @Nullable Exception linked = at instanceof JMSException jms ? jms.getLinkedException() : null;
      at = linked != null ? linked : at.getCause();
    }
    return 0;
  }

  static String describe(Throwable failure) {
    String text = failure.getMessage();
    String name = failure.getClass().getSimpleName();
    return text == null ? name : name + ": " + text;
  }
}
