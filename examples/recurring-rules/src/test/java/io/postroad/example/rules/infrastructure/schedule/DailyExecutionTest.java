package io.postroad.example.rules.infrastructure.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.example.rules.RunningApplication;
import java.time.ZonedDateTime;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.scheduling.support.CronExpression;

/** The start times of runs and their days. */
class DailyExecutionTest {
  private static final String DAILY = "{\"type\":\"DAILY\"}";

  @ParameterizedTest
  @CsvSource({
    "0 0 6 * * *, 2028-01-06T05:59:59Z, 2028-01-05",
    "0 0 6 * * *, 2028-01-06T06:00:00Z, 2028-01-06",
    "0 0 18 * * *, 2028-01-06T07:00:00Z, 2028-01-05",
    "0 0 18 * * *, 2028-01-06T18:00:00Z, 2028-01-06",
    "0 0 6 * * MON, 2028-01-06T07:00:00Z, 2028-01-03"
  })
  void aStartRunsForTheDayOfTheLastScheduledRun(String cron, String now, String day) {
    assertThat(DailyExecution.lastRunDate(CronExpression.parse(cron), ZonedDateTime.parse(now)))
        .isEqualTo(day);
  }

  @Test
  void theScheduledMethodsRunAndRecover() throws Exception {
    RunningApplication application = RunningApplication.cleared();
    DailyExecution daily = application.bean(DailyExecution.class);
    String id = application.create(DAILY, "2028-01-05", "");
    application.at("2028-01-06T05:00:00Z");
    daily.catchUp();
    assertThat(dates(application, id)).containsExactly("2028-01-05");
    application.at("2028-01-06T06:00:00Z");
    assertThat(application.put("/cash-flow-service", "{\"available\":false}").statusCode())
        .isEqualTo(200);
    daily.executeRules();
    assertThat(application.rule(id).get("lastFailedAt")).isNotNull();
    assertThat(application.put("/cash-flow-service", "{\"available\":true}").statusCode())
        .isEqualTo(200);
    daily.recoverFailed();
    assertThat(application.rule(id).get("lastFailedAt")).isNull();
    assertThat(dates(application, id)).containsExactlyInAnyOrder("2028-01-05", "2028-01-06");
  }

  private static Set<String> dates(RunningApplication application, String id) {
    return application.rule(id).get("executions", Document.class).keySet();
  }
}
