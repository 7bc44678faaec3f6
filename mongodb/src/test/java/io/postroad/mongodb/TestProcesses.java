package io.postroad.mongodb;

import io.postroad.message.MessageIds;
import io.postroad.spi.ProcessLogEntry;
import io.postroad.spi.StoredProcess;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Processes for tests. */
public final class TestProcesses {
  public static final String TYPE = "Payment";

  private TestProcesses() {}

  public static StoredProcess process(String key, Instant at) {
    return process(TYPE, key, "RUNNING", "{}", Optional.empty(), at);
  }

  public static StoredProcess process(
      String type, String key, String status, String data, Optional<Instant> due, Instant at) {
    return new StoredProcess(
        MessageIds.next(),
        type,
        key,
        true,
        status,
        status.equals("RUNNING"),
        "BookLimits",
        data,
        0,
        "hash",
        false,
        Optional.empty(),
        Optional.empty(),
        "{}",
        due,
        1,
        at,
        at);
  }

  /** The same with another number and data. */
  public static StoredProcess next(StoredProcess process, String data) {
    return new StoredProcess(
        process.id(),
        process.type(),
        process.businessKey(),
        process.isUnique(),
        process.status(),
        process.isActive(),
        process.currentStep(),
        data,
        process.retries(),
        process.definition(),
        process.isPaused(),
        process.failureKind(),
        process.failure(),
        process.marking(),
        process.dueAt(),
        process.lastSeq() + 1,
        process.createdAt(),
        process.updatedAt().plusMillis(1));
  }

  /** The newest entry of its log. */
  public static List<ProcessLogEntry> log(StoredProcess process) {
    return List.of(
        new ProcessLogEntry(
            MessageIds.next(),
            process.id(),
            process.lastSeq(),
            "StepCompleted",
            Optional.empty(),
            "{}",
            process.updatedAt()));
  }
}
