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
 * What a failure of JMS means for the one message that had it.
 *
 * <p>Rejected only where the exception says that this message was refused, or where it is certain
 * that nothing was sent; everything else is Unknown.
 */
final class SendFailure {
  private static final String CREATE_QUEUE = "create the queue, then replay";
  private static final String GIVE_RIGHT = "let this user send to the queue, then replay";
  private static final String MAKE_SMALLER =
      "make the payload smaller, or raise the limit (MAXMSGL) of queue, queue manager and channel";
  private static final String SEE_MESSAGE = "see its headers and body";

  private static final int MQ_UNKNOWN_OBJECT = 2085;
  private static final int MQ_NOT_AUTHORISED = 2035;

  /** Too big for the queue, for the queue manager, for the channel. */
  private static final Set<Integer> MQ_TOO_BIG = Set.of(2030, 2031, 2218);

  /** How IBM MQ spells its reason in the exception that is linked to the one of JMS. */
  private static final Pattern MQ_REASON = Pattern.compile("reason '(\\d{4})'");

  /** Names of exceptions in which clients say that they got no answer, or that a queue is full. */
  private static final Pattern NOT_OF_THE_MESSAGE =
      Pattern.compile(
          "TimedOut|Timeout|Disconnect|NotConnected|OutcomeUnknown|Unblocked|Closed|Interrupted|Full");

  private static final int MAX_CAUSES = 10;

  private SendFailure() {}

  /** The outcome where a queue could not be opened over a connection that works. */
  static SendOutcome atOpen(Message message, Exception failure) {
    @Nullable String remedy = saysThatTheQueueIsMissing(failure) ? CREATE_QUEUE : remedy(failure);
    return remedy == null ? notSent(message, describe(failure)) : forGood(message, failure, remedy);
  }

  /** The outcome where the send failed, the connection works, and the transaction is undone. */
  static SendOutcome atSend(Message message, Exception failure) {
    return rejected(message, failure)
        .orElseGet(
            () ->
                saysNothingOfTheMessage(failure)
                    ? notSent(message, describe(failure))
                    : forNow(message, failure));
  }

  /**
   * The outcome where the commit of this message alone failed over a connection that works. Then
   * the broker has answered that it did not commit, unless the client only says that no answer
   * came.
   */
  static SendOutcome atCommit(Message message, Exception failure) {
    return rejected(message, failure)
        .orElseGet(
            () ->
                saysNothingOfTheMessage(failure)
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

  /** What mends a refusal that trying again cannot, or null where it is not known to be one. */
  private static @Nullable String remedy(Exception failure) {
    int mqReason = mqReason(failure);
    if (MQ_TOO_BIG.contains(mqReason)) {
      return MAKE_SMALLER;
    }
    if (failure instanceof InvalidDestinationException || mqReason == MQ_UNKNOWN_OBJECT) {
      return CREATE_QUEUE;
    }
    if (failure instanceof JMSSecurityException || mqReason == MQ_NOT_AUTHORISED) {
      return GIVE_RIGHT;
    }
    return failure instanceof MessageFormatException
            || failure instanceof MessageNotWriteableException
        ? SEE_MESSAGE
        : null;
  }

  /**
   * Whether opening a queue failed because it does not exist. Some brokers have an exception for
   * it; Artemis's client has a bare one, while its exceptions for trouble with the connection have
   * a cause.
   */
  static boolean saysThatTheQueueIsMissing(Exception failure) {
    return failure instanceof InvalidDestinationException
        || mqReason(failure) == MQ_UNKNOWN_OBJECT
        || (failure.getClass() == JMSException.class
            && failure.getCause() == null
            && ((JMSException) failure).getLinkedException() == null
            && ((JMSException) failure).getErrorCode() == null);
  }

  /** Whether a failure is about the connection, or about a queue or broker that is full. */
  private static boolean saysNothingOfTheMessage(Exception failure) {
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
          || NOT_OF_THE_MESSAGE.matcher(at.getClass().getSimpleName()).find()) {
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
