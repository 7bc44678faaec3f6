package io.postroad.example.payment.infrastructure.adapter.out.outbox;

import io.postroad.admin.DeadLetterCopy;
import io.postroad.admin.NotPossibleException;
import io.postroad.admin.OutboxAdmin;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.DeadLetterCopies.Death;
import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.store.DeadLetter;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Copies failed events to the dead letter topic, with their key, headers, id and error. The events
 * stay in the table, so that they can be published again. A failure is recorded after the broker
 * has its copy. A crash between the two, or two nodes at the same time, may copy an event twice,
 * with the same id.
 */
@Component
public class OutboxDeadLetterQueue {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxDeadLetterQueue.class);
  private static final int AT_ONCE = 100;
  private static final int MAX_ERROR = 1_000;

  private final DeadLetterCopies copies;
  private final OutboxAdmin admin;
  private final MessageSender sender;
  private final String topic;

  public OutboxDeadLetterQueue(
      DeadLetterCopies copies,
      OutboxAdmin admin,
      MessageSender sender,
      @Value("${outbox.dlq.topic}") String topic) {
    this.copies = copies;
    this.admin = admin;
    this.sender = sender;
    this.topic = topic;
  }

  /** Copies failed events. An event that cannot be copied does not stop the others. */
  @Scheduled(fixedDelayString = "${outbox.publisher.fixed-delay:5000}")
  public void copyFailedEvents() {
    for (Death death : copies.open(AT_ONCE)) {
      try {
        settle(death, copy(admin.deadLetter(death.messageId())));
      } catch (NotPossibleException decided) {
        LOG.debug("Outbox event is not failed any more: id={}", death.eventId());
      } catch (RuntimeException failed) {
        LOG.warn(
            "Outbox event not copied to {}, will retry: id={}, error={}",
            topic,
            death.eventId(),
            oneLine(failed.toString()));
      }
    }
  }

  private SendOutcome copy(DeadLetter letter) {
    try {
      Message copy =
          letter.message().toBuilder()
              .id(letter.id())
              .to(topic)
              .header(DeadLetterCopy.ERROR, oneLine(letter.error()))
              .header(DeadLetterCopy.DESTINATION, letter.message().destination())
              .header(DeadLetterCopy.ATTEMPTS, Integer.toString(letter.attempts()))
              .header(DeadLetterCopy.DIED_AT, letter.diedAt().toString())
              .build();
      return await(sender.send(List.of(copy)).get(0));
    } catch (IllegalArgumentException never) {
      return SendOutcome.Rejected.forGood(String.valueOf(never.getMessage()));
    }
  }

  private SendOutcome await(CompletionStage<SendOutcome> stage) {
    try {
      return stage
          .toCompletableFuture()
          .get(sender.timeout().toMillis() + 1, TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      return new SendOutcome.Unknown(String.valueOf(failed.getCause()));
    } catch (TimeoutException late) {
      return new SendOutcome.Unknown("no answer within " + sender.timeout());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return new SendOutcome.Unknown("interrupted");
    }
  }

  /**
   * Records the outcome of a copy. A copy that the broker refuses for good is recorded, too,
   * because endless attempts would delay other events.
   */
  private void settle(Death death, SendOutcome outcome) {
    if (outcome instanceof SendOutcome.Accepted) {
      copies.done(death);
      LOG.info("Outbox event copied to {}: id={}", topic, death.eventId());
    } else if (outcome instanceof SendOutcome.Rejected rejected
        && rejected.again() == SendOutcome.Again.NEVER) {
      copies.done(death);
      LOG.error(
          "Outbox event can never be copied to {}, it is in the table only: id={}, error={}",
          topic,
          death.eventId(),
          oneLine(rejected.error()));
    } else {
      LOG.warn("Outbox event not copied to {}, will retry: id={}", topic, death.eventId());
    }
  }

  private static String oneLine(String error) {
    String line = error.replaceAll("\\p{Cntrl}+", " ");
    return line.length() <= MAX_ERROR ? line : line.substring(0, MAX_ERROR);
  }
}
