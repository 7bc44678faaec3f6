package io.postroad.example.payment.infrastructure.adapter.out.outbox;

import io.postroad.admin.DeadLetterCopy;
import io.postroad.admin.NotPossibleException;
import io.postroad.admin.OutboxAdmin;
import io.postroad.message.Message;
import io.postroad.outbox.MessageSender;
import io.postroad.outbox.SendOutcome;
import io.postroad.store.DeadLetter;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Copies failed events to the dead letter topic, with their key, headers, id and error; they stay
 * in the table, to be published again. A death is noted after the broker has its copy: a crash
 * between the two copies it again, under the same id.
 */
@Component
public class OutboxDeadLetterQueue {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxDeadLetterQueue.class);
  private static final int AT_ONCE = 100;
  private static final int MAX_ERROR = 1_000;

  private final OutboxEventRepository outboxRepository;
  private final OutboxAdmin admin;
  private final MessageSender sender;
  private final JdbcTemplate jdbc;
  private final String topic;

  public OutboxDeadLetterQueue(
      OutboxEventRepository outboxRepository,
      OutboxAdmin admin,
      MessageSender sender,
      JdbcTemplate jdbc,
      @Value("${outbox.dlq.topic}") String topic) {
    this.outboxRepository = outboxRepository;
    this.admin = admin;
    this.sender = sender;
    this.jdbc = jdbc;
    this.topic = topic;
  }

  /** A copy that the broker does not take is tried again with the next run. */
  @Scheduled(fixedDelayString = "${outbox.publisher.fixed-delay:5000}")
  public void copyFailedEvents() {
    for (String id : outboxRepository.findFailedNotCopied(AT_ONCE)) {
      try {
        copy(admin.deadLetter(UUID.fromString(id)));
      } catch (NotPossibleException decided) {
        LOG.debug("Outbox event is not failed any more: id={}", id);
      }
    }
  }

  private void copy(DeadLetter letter) {
    Message copy =
        letter.message().toBuilder()
            .id(letter.id())
            .to(topic)
            .header(DeadLetterCopy.ERROR, oneLine(letter.error()))
            .header(DeadLetterCopy.DESTINATION, letter.message().destination())
            .header(DeadLetterCopy.ATTEMPTS, Integer.toString(letter.attempts()))
            .header(DeadLetterCopy.DIED_AT, letter.diedAt().toString())
            .build();
    if (isAccepted(sender.send(List.of(copy)).get(0))) {
      jdbc.update(
          """
          INSERT INTO outbox_dlq_copy (event_id, died_at)
          SELECT id, published_at FROM outbox_event
          WHERE id = ? AND status = 'FAILED' AND published_at IS NOT NULL
          ON CONFLICT DO NOTHING
          """,
          letter.id().toString());
      LOG.info("Outbox event copied to {}: id={}", topic, letter.id());
    } else {
      LOG.warn("Outbox event not copied to {}, will retry: id={}", topic, letter.id());
    }
  }

  private boolean isAccepted(CompletionStage<SendOutcome> stage) {
    try {
      return stage
          .toCompletableFuture()
          .get(sender.timeout().toMillis() + 1, TimeUnit.MILLISECONDS)
          .fold(accepted -> true, rejected -> false, unknown -> false);
    } catch (ExecutionException | TimeoutException failed) {
      return false;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static String oneLine(String error) {
    String line = error.replaceAll("\\p{Cntrl}+", " ");
    return line.length() <= MAX_ERROR ? line : line.substring(0, MAX_ERROR);
  }
}
