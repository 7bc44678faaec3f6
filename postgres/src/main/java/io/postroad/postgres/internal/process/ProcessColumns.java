package io.postroad.postgres.internal.process;

import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.postgres.internal.queue.Settler;
import io.postroad.spi.process.ProcessIdentity;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.ProcessSummary;
import io.postroad.spi.process.StoredProcess;
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

/** Binds processes to statements and reads them from rows. */
final class ProcessColumns {
  /** The columns of a {@link StoredProcess} in a table {@code p}; a result row begins with them. */
  static final String STORED =
      """
      p.process_id, p.process_type, p.business_key, p.is_unique, p.status, p.is_active,
        p.current_step, p.data, p.retries, p.definition, p.paused, p.failure_kind, p.failure,
        p.marking, p.due_at, p.last_seq, p.created_at, p.updated_at""";

  /** The number of columns of {@link #STORED}; other columns of a result come after them. */
  static final int COUNT = 18;

  /** The status of a process between two steps. */
  private static final String RUNNING = "RUNNING";

  private ProcessColumns() {}

  /** Binds a new process and its entries. */
  static void bindStart(Parameters parameters, StoredProcess process, List<ProcessLogEntry> log)
      throws SQLException {
    ProcessIdentity identity = process.identity();
    parameters
        .add(identity.id())
        .add(identity.type())
        .add(identity.businessKey())
        .add(identity.isUnique())
        .add(identity.definition())
        .add(time(identity.createdAt()));
    bindEntries(bindState(parameters, process), log);
  }

  /** Binds the parts of a process that a save changes, and the entries. */
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

  /** Returns whether {@link #bindRunning} binds everything that differs from the defaults. */
  static boolean isRunning(StoredProcess process) {
    ProcessSummary summary = process.summary();
    return summary.status().equals(RUNNING)
        && summary.isActive()
        && summary.retries() == 0
        && !summary.isPaused()
        && summary.failureKind().isEmpty()
        && summary.failure().isEmpty();
  }

  static void bindRunning(
      Parameters parameters, StoredProcess process, long knownSeq, List<ProcessLogEntry> log)
      throws SQLException {
    Parameters state =
        parameters
            .add(process.summary().currentStep())
            .add(process.data())
            .add(process.snapshot())
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

  /** Binds entries one after the other. */
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
    ProcessSummary summary = process.summary();
    return parameters
        .add(summary.status())
        .add(summary.isActive())
        .add(summary.currentStep())
        .add(process.data())
        .add(summary.retries())
        .add(summary.isPaused())
        .add(summary.failureKind().orElse(null))
        .add(summary.failure().map(Settler::storable).orElse(null))
        .add(process.snapshot())
        .add(SqlTimes.notBefore(process.dueAt()))
        .add(process.isActive() ? null : updatedAt)
        .add(process.lastSeq())
        .add(updatedAt);
  }

  private static OffsetDateTime time(Instant exact) {
    return exact.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  static StoredProcess stored(ResultSet row) throws SQLException {
    ProcessIdentity identity =
        new ProcessIdentity(
            row.getObject(1, UUID.class),
            row.getString(2),
            row.getString(3),
            row.getBoolean(4),
            row.getString(10),
            MessageColumns.instant(row, 17));
    ProcessSummary summary =
        new ProcessSummary(
            row.getString(5),
            row.getBoolean(6),
            row.getBoolean(11),
            row.getString(7),
            row.getInt(9),
            Optional.ofNullable(row.getString(12)),
            Optional.ofNullable(row.getString(13)));
    return new StoredProcess(
        identity,
        summary,
        row.getString(8),
        row.getString(14),
        Optional.ofNullable(row.getObject(15, OffsetDateTime.class)).map(OffsetDateTime::toInstant),
        row.getLong(16),
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
