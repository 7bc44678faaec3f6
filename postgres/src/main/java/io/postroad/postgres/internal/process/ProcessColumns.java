package io.postroad.postgres.internal.process;

import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.postgres.internal.queue.Settler;
import io.postroad.spi.ProcessLogEntry;
import io.postroad.spi.StoredProcess;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Processes as rows: what is bound to statements, and what is read from the columns of a result.
 */
final class ProcessColumns {
  /** Of a {@link StoredProcess}, in a table {@code p}; they begin a result row. */
  static final String STORED =
      """
      p.process_id, p.process_type, p.business_key, p.is_unique, p.status, p.is_active,
        p.current_step, p.data, p.retries, p.definition, p.paused, p.failure_kind, p.failure,
        p.marking, p.due_at, p.last_seq, p.created_at, p.updated_at""";

  /** How many columns {@link #STORED} has; what else a statement returns comes after them. */
  static final int COUNT = 18;

  /** The status of one that goes on. */
  private static final String RUNNING = "RUNNING";

  private ProcessColumns() {}

  /** What a start writes, and the entries. */
  static void bindStart(Parameters parameters, StoredProcess process, List<ProcessLogEntry> log)
      throws SQLException {
    parameters
        .add(process.id())
        .add(process.type())
        .add(process.businessKey())
        .add(process.isUnique())
        .add(process.definition())
        .add(time(process.createdAt()));
    bindEntries(bindState(parameters, process), log);
  }

  /** What a save writes. */
  static void bindSave(
      Parameters parameters,
      StoredProcess process,
      OptionalLong knownSeq,
      List<ProcessLogEntry> log)
      throws SQLException {
    Parameters unused = bindState(parameters, process).add(process.id());
    if (knownSeq.isPresent()) {
      unused = parameters.add(knownSeq.getAsLong());
    }
    bindEntries(parameters, log);
  }

  /** Whether it is all said by {@link #bindRunning}. */
  static boolean isRunning(StoredProcess process) {
    return process.status().equals(RUNNING)
        && process.isActive()
        && process.retries() == 0
        && !process.isPaused()
        && process.failureKind().isEmpty()
        && process.failure().isEmpty();
  }

  static void bindRunning(
      Parameters parameters, StoredProcess process, long knownSeq, List<ProcessLogEntry> log)
      throws SQLException {
    Parameters state =
        parameters
            .add(process.currentStep())
            .add(process.data())
            .add(process.marking())
            .add(SqlTimes.notBefore(process.dueAt()))
            .add(process.lastSeq())
            .add(time(process.updatedAt()))
            .add(process.id())
            .add(knownSeq);
    bindEntries(state, log);
  }

  private static void bindEntries(Parameters parameters, List<ProcessLogEntry> log)
      throws SQLException {
    for (ProcessLogEntry entry : log) {
      Parameters unused = bindRest(parameters.add(entry.id()), entry);
    }
  }

  /** Entries one after the other. */
  static void bindEntries(Parameters parameters, UUID process, List<ProcessLogEntry> log)
      throws SQLException {
    for (ProcessLogEntry entry : log) {
      Parameters unused = bindRest(parameters.add(entry.id()).add(process), entry);
    }
  }

  private static Parameters bindRest(Parameters parameters, ProcessLogEntry entry)
      throws SQLException {
    return parameters
        .add(entry.seq())
        .add(entry.type())
        .add(entry.step().orElse(null))
        .add(entry.data())
        .add(time(entry.createdAt()));
  }

  private static Parameters bindState(Parameters parameters, StoredProcess process)
      throws SQLException {
    OffsetDateTime updatedAt = time(process.updatedAt());
    return parameters
        .add(process.status())
        .add(process.isActive())
        .add(process.currentStep())
        .add(process.data())
        .add(process.retries())
        .add(process.isPaused())
        .add(process.failureKind().orElse(null))
        .add(process.failure().map(Settler::storable).orElse(null))
        .add(process.marking())
        .add(SqlTimes.notBefore(process.dueAt()))
        .add(process.isActive() ? null : updatedAt)
        .add(process.lastSeq())
        .add(updatedAt);
  }

  private static OffsetDateTime time(Instant exact) {
    return exact.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  static StoredProcess stored(ResultSet row) throws SQLException {
    return new StoredProcess(
        row.getObject(1, UUID.class),
        row.getString(2),
        row.getString(3),
        row.getBoolean(4),
        row.getString(5),
        row.getBoolean(6),
        row.getString(7),
        row.getString(8),
        row.getInt(9),
        row.getString(10),
        row.getBoolean(11),
        Optional.ofNullable(row.getString(12)),
        Optional.ofNullable(row.getString(13)),
        row.getString(14),
        Optional.ofNullable(row.getObject(15, OffsetDateTime.class)).map(OffsetDateTime::toInstant),
        row.getLong(16),
        MessageColumns.instant(row, 17),
        MessageColumns.instant(row, 18));
  }

  static ProcessLogEntry entry(ResultSet row) throws SQLException {
    return new ProcessLogEntry(
        row.getObject(1, UUID.class),
        row.getObject(2, UUID.class),
        row.getLong(3),
        row.getString(4),
        Optional.ofNullable(row.getString(5)),
        row.getString(6),
        MessageColumns.instant(row, 7));
  }
}
