package io.postroad.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.postroad.command.CommandSignal;
import io.postroad.command.FailureCode;
import io.postroad.inbox.InboxSignal;
import io.postroad.outbox.OutboxSignal;
import io.postroad.process.ProcessSignal;
import io.postroad.process.ProcessStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What each signal does to which meter; real work does not bring them all about. */
class SignalMetersTest {
  private static final UUID ID = UUID.fromString("018f0000-0000-7000-8000-000000000001");
  private static final OutboxSignal.Subject MESSAGE =
      new OutboxSignal.Subject(ID, "OrderPlaced", "orders");
  private static final CommandSignal.Subject COMMAND =
      new CommandSignal.Subject(ID, "BookLimits", "key-1", "payment-1");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private double counted(PostroadMeter meter, String... tags) {
    return registry.get(meter.meterName()).tags(tags).counter().count();
  }

  private double shown(PostroadMeter meter, String... tags) {
    return registry.get(meter.meterName()).tags(tags).gauge().value();
  }

  @Test
  void deliveriesAndFailuresOfAnOutboxAreCounted() {
    OutboxMeters meters = OutboxMeters.of(registry, "main");
    meters.on(new OutboxSignal.Appended(MESSAGE));
    meters.on(new OutboxSignal.Deduplicated(MESSAGE, ID));
    meters.on(new OutboxSignal.Delivered(MESSAGE, 1, Map.of()));
    meters.on(new OutboxSignal.RetryScheduled(MESSAGE, 1, Duration.ofSeconds(1), "no"));
    meters.on(new OutboxSignal.RetryScheduled(MESSAGE, 2, Duration.ofSeconds(1), "no"));
    meters.on(new OutboxSignal.Died(MESSAGE, 3, "no"));
    meters.on(new OutboxSignal.Released(MESSAGE, Duration.ZERO, "?"));
    meters.on(new OutboxSignal.SetAside(MESSAGE, "paused"));
    meters.on(new OutboxSignal.LeaseExpired(MESSAGE, 2, "other"));
    meters.on(new OutboxSignal.FenceRejected(MESSAGE, 7, "settle"));

    String[] tags = {"outbox", "main", "destination", "orders", "type", "OrderPlaced"};
    assertThat(counted(PostroadMeter.OUTBOX_NEW, tags)).isEqualTo(1);
    assertThat(counted(PostroadMeter.OUTBOX_DEDUPLICATED, tags)).isEqualTo(1);
    assertThat(counted(PostroadMeter.OUTBOX_PUBLISHED, tags)).isEqualTo(1);
    assertThat(counted(PostroadMeter.OUTBOX_DONE, tags)).isEqualTo(1);
    assertThat(counted(PostroadMeter.OUTBOX_FAILED, "outcome", "retry")).isEqualTo(2);
    assertThat(counted(PostroadMeter.OUTBOX_FAILED, "outcome", "dead")).isEqualTo(1);
    assertThat(counted(PostroadMeter.OUTBOX_RECORDS_FAILED, tags)).isEqualTo(1);
    assertThat(counted(PostroadMeter.OUTBOX_FAILED_EVENTS, tags)).isEqualTo(1);
    assertThat(counted(PostroadMeter.OUTBOX_RELEASED, "outcome", "unknown")).isEqualTo(1);
    assertThat(counted(PostroadMeter.OUTBOX_RELEASED, "outcome", "aside")).isEqualTo(1);
    assertThat(counted(PostroadMeter.OUTBOX_LEASES_EXPIRED, tags)).isEqualTo(1);
    assertThat(counted(PostroadMeter.OUTBOX_FENCE_REJECTED, "verb", "settle")).isEqualTo(1);
  }

  @Test
  void actionsOfRelaysAreCountedAndTheirLanesAreShown() {
    OutboxMeters meters = OutboxMeters.of(registry, "main");
    meters.on(new OutboxSignal.Started("r1"));
    meters.on(new OutboxSignal.Started("r2"));
    meters.on(new OutboxSignal.Polled("r1", 5, Duration.ofMillis(20)));
    meters.on(new OutboxSignal.LaneTaken("r1", 0, 1, Optional.empty(), Optional.empty()));
    meters.on(new OutboxSignal.LaneTaken("r1", 1, 1, Optional.empty(), Optional.empty()));
    meters.on(new OutboxSignal.LaneTaken("r2", 2, 1, Optional.empty(), Optional.empty()));
    meters.on(new OutboxSignal.LaneLost("r1", 1, 1, "advance"));
    meters.on(new OutboxSignal.DestinationDown("r1", "orders", "no"));
    meters.on(new OutboxSignal.DestinationPaused("r1", "mails", "me", "why"));
    meters.on(new OutboxSignal.DestinationPaused("r1", "bills", "me", "why"));
    meters.on(new OutboxSignal.DestinationResumed("r1", "mails"));
    meters.on(new OutboxSignal.ClockSkewed("r1", Duration.ofMillis(7500)));
    meters.on(new OutboxSignal.Purged("r1", 12));
    meters.on(new OutboxSignal.PurgeBlocked("r1", List.of("who")));
    meters.on(new OutboxSignal.StoreFailed("r1", "claim", "no"));

    assertThat(counted(PostroadMeter.OUTBOX_POLL_COUNT)).isEqualTo(1);
    assertThat(
            registry
                .get(PostroadMeter.OUTBOX_POLL_DURATION.meterName())
                .timer()
                .totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(20);
    assertThat(shown(PostroadMeter.OUTBOX_RELAYS)).isEqualTo(2);
    assertThat(shown(PostroadMeter.OUTBOX_LANES)).isEqualTo(2);
    assertThat(counted(PostroadMeter.OUTBOX_LANES_LOST)).isEqualTo(1);
    assertThat(shown(PostroadMeter.OUTBOX_DESTINATIONS_CLOSED, "reason", "down")).isEqualTo(1);
    assertThat(shown(PostroadMeter.OUTBOX_DESTINATIONS_CLOSED, "reason", "paused")).isEqualTo(1);
    assertThat(shown(PostroadMeter.OUTBOX_CLOCK_SKEW)).isEqualTo(7.5);
    assertThat(counted(PostroadMeter.OUTBOX_PURGED)).isEqualTo(12);
    assertThat(counted(PostroadMeter.OUTBOX_PURGES_BLOCKED)).isEqualTo(1);
    assertThat(counted(PostroadMeter.OUTBOX_STORE_FAILURES, "verb", "claim")).isEqualTo(1);

    meters.on(new OutboxSignal.Stopped("r1", 0));
    assertThat(shown(PostroadMeter.OUTBOX_RELAYS)).isEqualTo(1);
    assertThat(shown(PostroadMeter.OUTBOX_LANES)).as("that of r2").isEqualTo(1);
    assertThat(shown(PostroadMeter.OUTBOX_DESTINATIONS_CLOSED, "reason", "down")).isZero();
    assertThat(shown(PostroadMeter.OUTBOX_DESTINATIONS_CLOSED, "reason", "paused")).isZero();
  }

  /** The usual one: it has no lane, and no destination is closed. */
  @Test
  void aRelayThatKnowsOfNothingCanStop() {
    OutboxMeters meters = OutboxMeters.of(registry, "orders");
    meters.on(new OutboxSignal.Started("r1"));
    meters.on(new OutboxSignal.Stopped("r1", 0));

    assertThat(shown(PostroadMeter.OUTBOX_RELAYS)).isZero();
  }

  @Test
  void messagesOfAnInboxAreCountedByTheirOutcome() {
    InboxMeters meters = InboxMeters.of(registry);
    InboxSignal.Subject handled =
        new InboxSignal.Subject("m-1", "OrderPlaced", "orders", "billing");
    meters.on(new InboxSignal.Handled(handled));
    meters.on(new InboxSignal.Repeated(handled));
    meters.on(new InboxSignal.MovedToRetry(handled, "no"));
    meters.on(new InboxSignal.Ignored(new InboxSignal.Subject("m-2", "Else", "orders", "")));
    meters.on(new InboxSignal.StoreFailed("inbox", "no"));
    meters.on(new InboxSignal.Forgotten("inbox", 30));

    for (String outcome : List.of("handled", "repeated", "retry")) {
      assertThat(
              counted(
                  PostroadMeter.INBOX_MESSAGES,
                  "type",
                  "OrderPlaced",
                  "destination",
                  "orders",
                  "handler",
                  "billing",
                  "outcome",
                  outcome))
          .isEqualTo(1);
    }
    assertThat(counted(PostroadMeter.INBOX_MESSAGES, "outcome", "ignored", "handler", "none"))
        .isEqualTo(1);
    assertThat(counted(PostroadMeter.INBOX_STORE_FAILURES)).isEqualTo(1);
    assertThat(counted(PostroadMeter.INBOX_FORGOTTEN)).isEqualTo(30);
  }

  @Test
  void commandsAreCountedByTypeAndOutcome() {
    CommandMeters meters = CommandMeters.of(registry);
    meters.on(new CommandSignal.Accepted(COMMAND));
    meters.on(new CommandSignal.Repeated(COMMAND, true));
    meters.on(new CommandSignal.Repeated(COMMAND, false));
    meters.on(new CommandSignal.Claimed(COMMAND, 1));
    meters.on(new CommandSignal.Completed(COMMAND, 1, Duration.ofMillis(30)));
    meters.on(new CommandSignal.Failed(COMMAND, 1, FailureCode.BUSINESS, "no"));
    meters.on(new CommandSignal.TimedOut(COMMAND));
    meters.on(new CommandSignal.Cancelled(COMMAND));
    meters.on(new CommandSignal.HandledLate(COMMAND));
    meters.on(new CommandSignal.Retrying(COMMAND, 1, Duration.ZERO, "no"));
    meters.on(new CommandSignal.HandedOver(COMMAND, Duration.ZERO, "why"));
    meters.on(new CommandSignal.Lost(COMMAND));
    meters.on(new CommandSignal.Stuck(COMMAND, Duration.ZERO));
    meters.on(new CommandSignal.Released(COMMAND));
    meters.on(new CommandSignal.ReplyIgnored(ID));
    meters.on(new CommandSignal.ReplyMisdelivered(ID, "why"));
    meters.on(new CommandSignal.StoreFailed("bus", "claim", "no"));
    meters.on(new CommandSignal.Forgotten("bus", 4));

    for (String outcome : List.of("completed", "timed-out", "cancelled")) {
      assertThat(
              counted(
                  PostroadMeter.COMMAND_ENDED,
                  "type",
                  "BookLimits",
                  "outcome",
                  outcome,
                  "code",
                  "none"))
          .isEqualTo(1);
    }
    assertThat(counted(PostroadMeter.COMMAND_ENDED, "outcome", "failed", "code", "BUSINESS"))
        .isEqualTo(1);
    assertThat(
            registry
                .get(PostroadMeter.COMMAND_DURATION.meterName())
                .tags("type", "BookLimits")
                .timer()
                .totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(30);
    assertThat(counted(PostroadMeter.COMMAND_ACCEPTED, "type", "BookLimits")).isEqualTo(1);
    assertThat(counted(PostroadMeter.COMMAND_REPEATED, "outcome", "same")).isEqualTo(1);
    assertThat(counted(PostroadMeter.COMMAND_REPEATED, "outcome", "different")).isEqualTo(1);
    assertThat(counted(PostroadMeter.COMMAND_CLAIMED, "type", "BookLimits")).isEqualTo(1);
    assertThat(counted(PostroadMeter.COMMAND_RETRIES, "type", "BookLimits")).isEqualTo(1);
    assertThat(counted(PostroadMeter.COMMAND_LATE, "type", "BookLimits")).isEqualTo(1);
    for (String outcome : List.of("handed-over", "lost", "stuck", "released")) {
      assertThat(counted(PostroadMeter.COMMAND_TROUBLE, "outcome", outcome)).isEqualTo(1);
    }
    assertThat(counted(PostroadMeter.COMMAND_REPLIES_IGNORED)).isEqualTo(1);
    assertThat(counted(PostroadMeter.COMMAND_REPLIES_MISDELIVERED)).isEqualTo(1);
    assertThat(counted(PostroadMeter.COMMAND_STORE_FAILURES, "verb", "claim")).isEqualTo(1);
    assertThat(counted(PostroadMeter.COMMAND_FORGOTTEN)).isEqualTo(4);
  }

  @Test
  void processesAreCountedByTypeAndStatusAndTheirStepsAreTimed() {
    ProcessMeters meters = ProcessMeters.of(registry);
    meters.on(new ProcessSignal.Logged(ID, "Payment", "ProcessStarted", "", Duration.ZERO));
    meters.on(step("StepCompleted", Duration.ofMillis(200)));
    meters.on(step("StepFailed", Duration.ofMillis(100)));
    meters.on(step("StepTimedOut", Duration.ofMillis(300)));
    meters.on(step("RetryScheduled", Duration.ofMillis(1)));
    meters.on(new ProcessSignal.Ended(ID, "Payment", ProcessStatus.SUCCEEDED));
    meters.on(new ProcessSignal.ReplyIgnored(ID, ID, "FOREIGN"));
    meters.on(new ProcessSignal.Stuck(ID, "Payment", "why"));
    meters.on(new ProcessSignal.SetAside(ID, "why"));
    meters.on(new ProcessSignal.StoreFailed("processes", "timers", "no"));
    meters.on(new ProcessSignal.Forgotten("processes", 2));

    assertThat(counted(PostroadMeter.PROCESS_STARTED, "type", "Payment")).isEqualTo(1);
    assertThat(counted(PostroadMeter.PROCESS_ENDED, "type", "Payment", "status", "SUCCEEDED"))
        .isEqualTo(1);
    assertThat(counted(PostroadMeter.PROCESS_EVENTS, "event", "StepFailed")).isEqualTo(1);
    assertThat(timed("completed")).isEqualTo(200);
    assertThat(timed("failed")).isEqualTo(100);
    assertThat(timed("timed-out")).isEqualTo(300);
    assertThat(counted(PostroadMeter.PROCESS_STEP_RETRIES, "type", "Payment", "step", "BookLimits"))
        .isEqualTo(1);
    assertThat(counted(PostroadMeter.PROCESS_REPLIES_IGNORED, "outcome", "FOREIGN")).isEqualTo(1);
    assertThat(counted(PostroadMeter.PROCESS_STUCK, "type", "Payment")).isEqualTo(1);
    assertThat(counted(PostroadMeter.PROCESS_REPLIES_ASIDE)).isEqualTo(1);
    assertThat(counted(PostroadMeter.PROCESS_STORE_FAILURES, "verb", "timers")).isEqualTo(1);
    assertThat(counted(PostroadMeter.PROCESS_FORGOTTEN)).isEqualTo(2);
  }

  private static ProcessSignal step(String event, Duration after) {
    return new ProcessSignal.Logged(ID, "Payment", event, "BookLimits", after);
  }

  private double timed(String outcome) {
    return registry
        .get(PostroadMeter.PROCESS_STEP_DURATION.meterName())
        .tags("type", "Payment", "step", "BookLimits", "outcome", outcome)
        .timer()
        .totalTime(TimeUnit.MILLISECONDS);
  }

  /** Types come with messages of others: without a bound, one of them could fill the registry. */
  @Test
  void inventedTypesDoNotGrowTheRegistryWithoutEnd() {
    InboxMeters meters = InboxMeters.of(registry);
    int invented = 3 * MeterBook.MOST_SERIES;
    for (int i = 0; i < invented; i++) {
      meters.on(new InboxSignal.Ignored(new InboxSignal.Subject("m", "Type" + i, "orders", "")));
    }

    var all = registry.get(PostroadMeter.INBOX_MESSAGES.meterName()).counters();
    assertThat(all).hasSizeLessThanOrEqualTo(MeterBook.MOST_SERIES + 1);
    assertThat(all.stream().mapToDouble(counter -> counter.count()).sum())
        .as("none is lost")
        .isEqualTo(invented);
    assertThat(counted(PostroadMeter.INBOX_MESSAGES, "type", MeterBook.OTHER)).isPositive();
  }
}
