package io.postroad.internal.process.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.process.Node;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.StepRetry;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a step is tried again, by the answers of a configuration. */
class RetryRulesTest {
  private static final Node.Step STEP =
      new Node.Step(
          "Debit",
          "Debit",
          Optional.empty(),
          false,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          false,
          Optional.empty());

  @ParameterizedTest
  @CsvSource({"0, PT0S", "1500, PT1.5S", "-1, PT0S", "-9223372036854775808, PT0S"})
  void aNegativeDelayCountsAsNone(long millis, Duration delay) {
    assertThat(rules(millis).retryAfter(STEP, "timeout", 0)).contains(delay);
  }

  @Test
  void aDelayIsADayAtMost() {
    assertThat(rules(Long.MAX_VALUE).retryAfter(STEP, "timeout", 0)).contains(Duration.ofDays(1));
  }

  @Test
  void aDelayThatThrowsIsNotRetryable() {
    RetryRules rules =
        new RetryRules(
            new Configuration() {
              @Override
              public long getRetryDelay(String step, int attempt) {
                throw new IllegalStateException("no such step");
              }
            },
            StepRetry.none());

    assertThat(rules.retryAfter(STEP, "timeout", 0)).isEmpty();
  }

  private static RetryRules rules(long millis) {
    return new RetryRules(
        new Configuration() {
          @Override
          public long getRetryDelay(String step, int attempt) {
            return millis;
          }
        },
        StepRetry.none());
  }

  private abstract static class Configuration implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return "Transfer";
    }

    @Override
    public ProcessGraph defineProcess() {
      throw new UnsupportedOperationException("it is not built here");
    }
  }
}
