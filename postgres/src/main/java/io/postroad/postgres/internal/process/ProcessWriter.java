package io.postroad.postgres.internal.process;

import io.postroad.message.PostroadException;
import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.jdbc.JoinedStatement;
import io.postroad.postgres.internal.jdbc.LateWrites;
import io.postroad.postgres.internal.jdbc.NearClock;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.spi.ChangedMeanwhileException;
import io.postroad.spi.process.ProcessBusyException;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.StoredProcesses;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Starts, locks and saves processes, each with one statement on the connection of the caller. */
public final class ProcessWriter implements StoredProcesses<Connection> {
  private static final int RUNS = 3;

  private static final int NOW = ProcessColumns.COUNT + 1;

  private final ProcessReader reader;
  private final ProcessSql sql;
  private final NearClock clock;

  public ProcessWriter(ProcessReader reader, ProcessSql sql, NearClock clock) {
    this.reader = reader;
    this.sql = sql;
    this.clock = clock;
  }

  /** Repeats the insert when the process that has the business key ends before it is read. */
  @Override
  public Optional<UUID> start(
      Connection transaction, StoredProcess process, List<ProcessLogEntry> log) {
    requireStorable(process);
    for (int run = 1; run <= RUNS; run++) {
      if (insert(transaction, process, log)) {
        return Optional.empty();
      }
      Optional<UUID> active = active(transaction, process);
      if (active.isPresent()) {
        return active;
      }
    }
    throw new PostroadException(
        "could not start process %s: its business key is taken by a process that this transaction"
                .formatted(process.id())
            + " cannot see; repeat the whole transaction, on READ COMMITTED");
  }

  private boolean insert(Connection transaction, StoredProcess process, List<ProcessLogEntry> log) {
    List<ProcessLogEntry> first = part(log, 0);
    boolean isStarted =
        new JoinedStatement(
                    "start",
                    "start process " + process.id(),
                    sql.start(first.size()),
                    parameters -> ProcessColumns.bindStart(parameters, process, first))
                .write(transaction)
            > 0;
    if (isStarted) {
      addRest(transaction, process, log);
    }
    return isStarted;
  }

  private Optional<UUID> active(Connection transaction, StoredProcess process) {
    return new JoinedStatement(
            "start",
            "look up the process that has the business key of process " + process.id(),
            sql.active,
            parameters -> parameters.add(process.type()).add(process.identity().businessKey()))
        .read(
            transaction,
            row -> row.next() ? Optional.of(row.getObject(1, UUID.class)) : Optional.empty());
  }

  @Override
  public Optional<Locked> lock(Connection transaction, UUID id) {
    return new JoinedStatement(
            "lock", "lock process " + id, sql.lock, parameters -> parameters.add(id))
        .read(transaction, ProcessWriter::locked);
  }

  @Override
  public Instant nearlyNow(Connection transaction) {
    return clock.near(transaction);
  }

  @Override
  public Optional<Locked> lockNow(Connection transaction, UUID id) {
    try {
      return new JoinedStatement(
              "lockNow", "lock process " + id, sql.lockNow, parameters -> parameters.add(id))
          .read(transaction, ProcessWriter::locked);
    } catch (PostroadException failed) {
      throw failed.getCause() instanceof SQLException error && SqlErrors.isLockTimeout(error)
          ? new ProcessBusyException(id)
          : failed;
    }
  }

  @Override
  public Optional<Locked> lockDue(Connection transaction) {
    return new JoinedStatement(
            "lockDue", "lock a process whose timer is due", sql.lockDue, parameters -> {})
        .read(transaction, ProcessWriter::locked);
  }

  private static Optional<Locked> locked(ResultSet row) throws SQLException {
    return row.next()
        ? Optional.of(new Locked(ProcessColumns.stored(row), MessageColumns.instant(row, NOW)))
        : Optional.empty();
  }

  @Override
  public void save(Connection transaction, StoredProcess process, List<ProcessLogEntry> log) {
    List<ProcessLogEntry> first = part(log, 0);
    JoinedStatement save =
        new JoinedStatement(
            "save",
            "save process " + process.id(),
            sql.save(first.size()),
            parameters ->
                ProcessColumns.bindSave(parameters, process, OptionalLong.empty(), first));
    save(transaction, save, rows -> requireThere(process, rows), process, log);
  }

  @Override
  public void saveKnown(
      Connection transaction, long knownSeq, StoredProcess process, List<ProcessLogEntry> log) {
    List<ProcessLogEntry> first = part(log, 0);
    Optional<LateWrites> last =
        LateWrites.lastOf(transaction)
            .filter(unused -> !log.isEmpty() && first.size() == log.size());
    if (last.isPresent()) {
      requireStorable(process);
      savingSurely(process, knownSeq, first).later(last.get());
    } else {
      JoinedStatement save = saving(process, knownSeq, first, sql.saveKnown(first.size()));
      save(transaction, save, rows -> requireKnown(process, knownSeq, rows), process, log);
    }
  }

  @Override
  public void postpone(UUID id, Duration delay) {
    reader.postpone(id, delay);
  }

  private JoinedStatement savingSurely(
      StoredProcess process, long knownSeq, List<ProcessLogEntry> log) {
    return ProcessColumns.isRunning(process)
        ? saving(
            process,
            sql.saveRunningSurely(log.size()),
            parameters -> ProcessColumns.bindRunning(parameters, process, knownSeq, log))
        : saving(process, knownSeq, log, sql.saveKnownSurely(log.size()));
  }

  private static JoinedStatement saving(
      StoredProcess process, long knownSeq, List<ProcessLogEntry> log, String text) {
    return saving(
        process,
        text,
        parameters -> ProcessColumns.bindSave(parameters, process, OptionalLong.of(knownSeq), log));
  }

  private static JoinedStatement saving(
      StoredProcess process, String text, JoinedStatement.Binding binding) {
    return new JoinedStatement("saveKnown", "save process " + process.id(), text, binding);
  }

  private void save(
      Connection transaction,
      JoinedStatement save,
      JoinedStatement.Check check,
      StoredProcess process,
      List<ProcessLogEntry> log) {
    requireStorable(process);
    try {
      LateWrites.with(
          transaction,
          unit -> {
            if (log.size() <= ProcessSql.MOST_ENTRIES) {
              save.later(unit, check);
            } else {
              // The check comes before the other entries, whose numbers may be taken.
              check.changed(save.write(unit));
            }
            addRest(unit, process, log);
            return true;
          });
    } catch (PostroadException failed) {
      if (failed.getCause() instanceof SQLException cause && SqlErrors.isDuplicate(cause)) {
        throw collision(process, cause);
      }
      throw failed;
    }
  }

  private void addRest(Connection transaction, StoredProcess process, List<ProcessLogEntry> log) {
    for (int from = ProcessSql.MOST_ENTRIES; from < log.size(); from += ProcessSql.MOST_ENTRIES) {
      adding(process, part(log, from)).later(transaction, rows -> {});
    }
  }

  private static List<ProcessLogEntry> part(List<ProcessLogEntry> log, int from) {
    return log.subList(from, Math.min(log.size(), from + ProcessSql.MOST_ENTRIES));
  }

  private JoinedStatement adding(StoredProcess process, List<ProcessLogEntry> log) {
    return new JoinedStatement(
        "save",
        "write the log of process " + process.id(),
        sql.add(log.size()),
        parameters -> ProcessColumns.bindEntries(parameters, process.id(), log));
  }

  private static void requireKnown(StoredProcess process, long knownSeq, int rows) {
    if (rows == 0) {
      throw ChangedMeanwhileException.ofProcess(process.id(), knownSeq);
    }
  }

  private static void requireThere(StoredProcess process, int rows) {
    if (rows == 0) {
      throw new PostroadException(
          "could not save process %s: there is none, or it was purged; roll back"
              .formatted(process.id()));
    }
  }

  private static PostroadException collision(StoredProcess process, SQLException failed) {
    return new PostroadException(
        "could not save process %s: either it was not locked and the numbers of its log entries up"
                .formatted(process.id())
            + " to %d are taken, or it became active again and another one has its business key;"
                .formatted(process.lastSeq())
            + " roll back, and lock it first",
        failed);
  }

  private static void requireStorable(StoredProcess process) {
    SqlTimes.requireStorable("dueAt", process.dueAt(), "process", process.id());
  }
}
