package io.postroad.example.rules.infrastructure.schedule;

import io.postroad.example.rules.application.ExecutionRun;
import io.postroad.example.rules.domain.RuleClock;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.stereotype.Component;

/** Starts the daily run, at six in the morning UTC by default, and the recovery of failed dates. */
@Component
public class DailyExecution {
  private static final Logger LOG = LoggerFactory.getLogger(DailyExecution.class);
  private static final String AT_SIX = "0 0 6 * * *";
  private static final int MAX_DAYS_BACK = 366;

  private final ExecutionRun run;
  private final RuleClock clock;
  private final int hoursBack;
  private final boolean atStart;
  private final CronExpression cron;

  DailyExecution(
      ExecutionRun run,
      RuleClock clock,
      @Value("${recurring-rules.recovery.hours-back}") int hoursBack,
      @Value("${recurring-rules.execution.at-start}") boolean atStart,
      @Value("${recurring-rules.execution.cron}") String cron) {
    this.run = run;
    this.clock = clock;
    this.hoursBack = hoursBack;
    this.atStart = atStart;
    this.cron = CronExpression.parse(cron.equals(Scheduled.CRON_DISABLED) ? AT_SIX : cron);
  }

  @Scheduled(cron = "${recurring-rules.execution.cron}", zone = "UTC")
  public void executeRules() {
    var unused = run.runOnce(clock.today());
  }

  @Scheduled(cron = "${recurring-rules.recovery.cron}", zone = "UTC")
  public void recoverFailed() {
    var unused = run.recoverOnce(hoursBack);
  }

  /**
   * Runs at the start if the last run was missed. If it fails, the application starts anyway, and
   * the next run does its work.
   */
  @EventListener(ApplicationReadyEvent.class)
  public void catchUp() {
    if (!atStart) {
      return;
    }
    try {
      var unused = run.runOnce(lastRunDate(cron, clock.now()));
    } catch (RuntimeException failed) {
      LOG.error("recurring-rules run at the start failed; the next one does its work", failed);
    }
  }

  /** Returns the day of the latest scheduled run. */
  static LocalDate lastRunDate(CronExpression cron, ZonedDateTime now) {
    LocalDate today = now.toLocalDate();
    for (int back = 0; back <= MAX_DAYS_BACK; back++) {
      LocalDate day = today.minusDays(back);
      @Nullable ZonedDateTime first = cron.next(day.atStartOfDay(now.getZone()).minusNanos(1));
      if (first != null && !first.isAfter(now)) {
        return day;
      }
    }
    return today.minusDays(1);
  }
}
