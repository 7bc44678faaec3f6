package io.postroad.example.rules.infrastructure.web;

import io.postroad.example.rules.application.ExecutionRun;
import io.postroad.example.rules.application.RunResult;
import io.postroad.example.rules.domain.InvalidRuleException;
import io.postroad.example.rules.domain.RuleClock;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Starts runs by hand, in addition to scheduled runs; no run executes a date twice. */
@RestController
@RequestMapping(path = "/executions", produces = MediaType.APPLICATION_JSON_VALUE)
class ExecutionController {
  private static final int MAX_HOURS = 24 * 366;

  private final ExecutionRun run;
  private final RuleClock clock;

  ExecutionController(ExecutionRun run, RuleClock clock) {
    this.run = run;
    this.clock = clock;
  }

  /** Executes due dates up to a date, by default today. */
  @PostMapping("/run")
  RunResult run(@RequestBody Run body) {
    @Nullable LocalDate date = Fields.optionalDate("date", body.date());
    if (date != null && date.isAfter(clock.today())) {
      throw new InvalidRuleException("date", "must not be in the future, got " + date);
    }
    return run.runOnce(date == null ? clock.today() : date);
  }

  /** Tries dates again that failed in the last hours. */
  @PostMapping("/recovery")
  RunResult recover(@RequestBody Recovery body) {
    int hours = Fields.required("hoursBack", body.hoursBack());
    if (hours < 1 || hours > MAX_HOURS) {
      throw new InvalidRuleException("hoursBack", "must be from 1 to " + MAX_HOURS);
    }
    return run.recoverOnce(hours);
  }

  record Run(@Nullable String date) {}

  record Recovery(@Nullable Integer hoursBack) {}
}
