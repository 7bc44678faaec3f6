package io.postroad.example.rules.infrastructure.schedule;

import io.postroad.example.rules.application.ExecutionRun;
import io.postroad.example.rules.domain.RuleClock;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Begins the daily run, at six in the morning UTC, and the recovery of what failed. */
@Component
public class DailyExecution {
  private static final LocalTime RUNS_AT = LocalTime.of(6, 0);

  private final ExecutionRun run;
  private final RuleClock clock;
  private final int hoursBack;
  private final boolean atStart;

  DailyExecution(
      ExecutionRun run,
      RuleClock clock,
      @Value("${recurring-rules.recovery.hours-back}") int hoursBack,
      @Value("${recurring-rules.execution.at-start}") boolean atStart) {
    this.run = run;
    this.clock = clock;
    this.hoursBack = hoursBack;
    this.atStart = atStart;
  }

  @Scheduled(cron = "${recurring-rules.execution.cron}", zone = "UTC")
  public void executeRules() {
    var unused = run.runOnce(clock.today());
  }

  @Scheduled(cron = "${recurring-rules.recovery.cron}", zone = "UTC")
  public void recoverFailed() {
    var unused = run.recoverOnce(hoursBack);
  }

  /** Who was down at six does now what should have been done. */
  @EventListener(ApplicationReadyEvent.class)
  public void catchUp() {
    if (atStart) {
      var unused = run.runOnce(lastRunDate(clock.now()));
    }
  }

  /** The day of the latest run that should have been. */
  static LocalDate lastRunDate(ZonedDateTime now) {
    return now.toLocalTime().isBefore(RUNS_AT) ? now.toLocalDate().minusDays(1) : now.toLocalDate();
  }
}
