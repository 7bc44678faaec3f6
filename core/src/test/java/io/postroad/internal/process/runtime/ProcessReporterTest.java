package io.postroad.internal.process.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.Result.Logged;
import io.postroad.internal.process.engine.Snapshot;
import io.postroad.process.FailureKind;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessObserver;
import io.postroad.process.ProcessStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An ERROR line calls a person, so there is none for what a person asked for. */
class ProcessReporterTest {
  private final ProcessReporter reporter = new ProcessReporter("node-1", ProcessObserver.none());

  @ParameterizedTest
  @EnumSource(names = {"TERMINATED", "CANCELLED"})
  void aProcessThatAnOperatorEndedIsNoError(FailureKind kind) {
    assertThat(logged(() -> failed(kind)))
        .singleElement()
        .asString()
        .contains("INFO", "was ended by an operator", kind.name(), "not wanted");
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"TERMINATED", "CANCELLED"})
  void aProcessThatFailedByItselfIsAnError(FailureKind kind) {
    assertThat(logged(() -> failed(kind)))
        .singleElement()
        .asString()
        .contains("ERROR", "has FAILED", kind.name(), "not wanted");
  }

  /** As after a pause of its node, whose transaction the server has ended meanwhile. */
  @Test
  void workThatIsTriedAgainIsNoError() {
    IllegalStateException gone = new IllegalStateException("the connection is closed");

    assertThat(logged(() -> reporter.failed(UUID.randomUUID(), "a timer", gone)))
        .first()
        .asString()
        .contains("WARN", "it is tried again later", "the connection is closed");
  }

  private void failed(FailureKind kind) {
    Instant now = Instant.EPOCH;
    ProcessState.Draft draft = ProcessState.none(UUID.randomUUID(), true, now).change();
    draft.status = ProcessStatus.FAILED;
    draft.failure = Optional.of(new Snapshot.Failure(kind, "not wanted", Optional.empty()));
    ProcessEvent end = new ProcessEvent.ProcessFailed(kind, "not wanted");
    reporter.applied(draft.at(now), List.of(new Logged(end, 1, now)));
  }

  private static List<String> logged(Runnable work) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, UTF_8));
    try {
      work.run();
    } finally {
      System.setErr(before);
    }
    return log.toString(UTF_8).lines().toList();
  }
}
