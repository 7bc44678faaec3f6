package io.postroad.example.payment;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxPublisher;
import io.postroad.outbox.OutboxSignal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The log lines that people search for. */
class LogLinesTest {
  private static final UUID ID = UUID.fromString("00000000-0000-4000-8000-000000000001");

  @Test
  void linesAreThoseOfTheSpecification() {
    OutboxPublisher publisher = RunningApplication.shared().bean(OutboxPublisher.class);
    Logger logger = (Logger) LoggerFactory.getLogger(OutboxPublisher.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    OutboxSignal.Subject event =
        new OutboxSignal.Subject(ID, "PAYMENT_APPROVED", "payment.approved");

    publisher.on(new OutboxSignal.Polled("relay", 5, Duration.ZERO));
    publisher.on(new OutboxSignal.Polled("relay", 0, Duration.ZERO));
    publisher.on(new OutboxSignal.Delivered(event, 1, Map.of("partition", "2", "offset", "123")));
    publisher.on(new OutboxSignal.RetryScheduled(event, 1, Duration.ZERO, "refused"));
    publisher.on(new OutboxSignal.Died(event, 3, "refused"));
    logger.detachAppender(lines);

    assertThat(
            List.copyOf(lines.list).stream()
                .filter(line -> line.getThreadName().equals(Thread.currentThread().getName()))
                .map(line -> line.getLevel() + " " + line.getFormattedMessage()))
        .containsExactly(
            "INFO Found 5 pending outbox events to publish",
            "INFO Event published to Kafka: id=%s, partition=2, offset=123".formatted(ID),
            "WARN Outbox event publish error, will retry: id=%s, retryCount=1/3".formatted(ID),
            "ERROR Outbox event FAILED after 3 retries: id=%s".formatted(ID));
  }
}
