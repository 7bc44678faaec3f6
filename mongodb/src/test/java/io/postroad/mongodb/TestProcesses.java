package io.postroad.mongodb;

import io.postroad.message.MessageIds;
import io.postroad.spi.process.ProcessIdentity;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.ProcessSummary;
import io.postroad.spi.process.StoredProcess;
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
        new ProcessIdentity(MessageIds.next(), type, key, true, "hash", at),
        new ProcessSummary(
            status,
            status.equals("RUNNING"),
            false,
            "BookLimits",
            0,
            Optional.empty(),
            Optional.empty()),
        data,
        "{}",
        due,
        1,
        at);
  }

  /** The same with another number and data. */
  public static StoredProcess next(StoredProcess process, String data) {
    return new StoredProcess(
        process.identity(),
        process.summary(),
        data,
        process.snapshot(),
        process.dueAt(),
        process.lastSeq() + 1,
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
