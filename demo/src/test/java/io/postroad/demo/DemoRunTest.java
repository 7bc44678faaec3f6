package io.postroad.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

class DemoRunTest {

  @Test
  @DisabledIfEnvironmentVariable(
      named = "KAFKA_BOOTSTRAP_SERVERS",
      matches = ".+",
      disabledReason = "the demo stops and starts its broker, so it must be its own")
  void aBriefRunSucceedsAndReportsIt() throws Exception {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(told, true, StandardCharsets.UTF_8);

    Counts counts = new DemoRun(DemoPlan.brief(), Narrator.plain(out)).run();

    String story = told.toString(StandardCharsets.UTF_8);
    assertThat(counts.ok()).as(story).isTrue();
    assertThat(counts.committed()).as(story).isPositive().isEqualTo(counts.delivered());
    assertThat(counts.rolledBack()).as(story).isPositive();
    assertThat(story)
        .containsSubsequence(
            "Starting",
            "Orders flow",
            "Stopping the broker",
            "The broker is back",
            "No more orders")
        .contains(counts.summary(), "OK:");
  }
}
