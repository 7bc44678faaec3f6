package io.postroad.postgres.internal.process;

import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.spi.process.ProcessFilter;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.ProcessQueries;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredProcess;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads processes and their logs, postpones timers and purges. Each method runs one statement of
 * its own, purge two.
 */
public final class ProcessReader implements ProcessQueries {
  private final Database database;
  private final ProcessSql sql;

  public ProcessReader(Database database, ProcessSql sql) {
    this.database = database;
    this.sql = sql;
  }

  @FunctionalInterface
  private interface Binding {
    void to(Parameters parameters) throws SQLException;
  }

  @FunctionalInterface
  private interface Reader<R> {
    R read(ResultSet row) throws SQLException;
  }

  @Override
  public Optional<StoredProcess> find(UUID id) {
    return read(
            "look up process " + id,
            sql.find,
            parameters -> parameters.add(id),
            ProcessColumns::stored)
        .stream()
        .findFirst();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Searches by business key, else by status, else by id, and reads rows until it has enough.
   */
  @Override
  public List<StoredProcess> list(ProcessFilter filter, int limit) {
    ProcessStore.checkLimit(limit);
    boolean byStatus = ProcessSql.isByStatus(filter);
    return read(
        "list processes",
        sql.list(filter),
        parameters -> {
          if (byStatus) {
            parameters.addTexts(filter.statuses());
          }
          bind(parameters, filter, byStatus);
          parameters.add(limit);
          if (byStatus) {
            parameters.add(limit);
          }
        },
        ProcessColumns::stored);
  }

  private static void bind(Parameters parameters, ProcessFilter filter, boolean byStatus)
      throws SQLException {
    if (filter.type().isPresent()) {
      parameters.add(filter.type().get());
    }
    if (filter.businessKey().isPresent()) {
      parameters.add(filter.businessKey().get());
    }
    if (!byStatus && !filter.statuses().isEmpty()) {
      parameters.addTexts(filter.statuses());
    }
    if (filter.definition().isPresent()) {
      parameters.add(filter.definition().get());
    }
    if (filter.updatedBefore().isPresent()) {
      parameters.add(SqlTimes.bound(filter.updatedBefore().get()));
    }
    if (filter.after().isPresent()) {
      parameters.add(filter.after().get());
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Reads a whole index, and no row: do not call it every second when there are millions.
   */
  @Override
  public Map<String, Long> counts() {
    return counted("count processes", sql.counts, parameters -> {});
  }

  @Override
  public Map<String, Long> activeByDefinition(String type) {
    return counted(
        "count the active processes of " + type, sql.live, parameters -> parameters.add(type));
  }

  private Map<String, Long> counted(String what, String text, Binding binding) {
    Map<String, Long> counts = new LinkedHashMap<>();
    read(what, text, binding, row -> Map.entry(row.getString(1), row.getLong(2)))
        .forEach(count -> counts.put(count.getKey(), count.getValue()));
    return counts;
  }

  @Override
  public List<ProcessLogEntry> log(UUID processId, long afterSeq, int limit) {
    ProcessStore.checkLimit(limit);
    return read(
        "read the log of process " + processId,
        sql.log,
        parameters -> parameters.add(processId).add(afterSeq).add(limit),
        ProcessColumns::entry);
  }

  void postpone(UUID id, Duration delay) {
    long micros = SqlTimes.micros(delay);
    int unused =
        update(
            "postpone the timer of process " + id,
            sql.postpone,
            parameters -> parameters.add(micros).add(id));
  }

  /** Purges; several nodes may do it at once, because each skips rows that another has locked. */
  public int purge(Duration olderThan, int limit) {
    ProcessStore.checkLimit(limit);
    long micros = SqlTimes.micros(olderThan);
    int purged =
        update("purge processes", sql.purge, parameters -> parameters.add(micros).add(limit));
    int unused =
        update(
            "purge definitions of processes",
            sql.purgeDefinitions,
            parameters -> parameters.add(micros));
    return purged;
  }

  public Instant now() {
    return read(
            "read the database's clock",
            sql.now,
            parameters -> {},
            row -> MessageColumns.instant(row, 1))
        .get(0);
  }

  private int update(String what, String text, Binding binding) {
    return database.call(
        what,
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, text)) {
            binding.to(new Parameters(statement));
            return Database.update(statement);
          }
        });
  }

  private <R> List<R> read(String what, String text, Binding binding, Reader<R> reader) {
    return database.call(
        what,
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, text)) {
            binding.to(new Parameters(statement));
            List<R> results = new ArrayList<>();
            try (ResultSet row = Database.query(statement)) {
              while (row.next()) {
                results.add(reader.read(row));
              }
            }
            return results;
          }
        });
  }
}
