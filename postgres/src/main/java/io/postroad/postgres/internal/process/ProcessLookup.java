package io.postroad.postgres.internal.process;

import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.spi.ProcessFilter;
import io.postroad.spi.ProcessLogEntry;
import io.postroad.spi.StoredProcess;
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
 * Reads processes and their logs, postpones timers, and forgets what ended long ago; each is one
 * statement of its own, purge two.
 */
public final class ProcessLookup {
  private final Database database;
  private final ProcessSql sql;

  public ProcessLookup(Database database, ProcessSql sql) {
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

  public Optional<StoredProcess> find(UUID id) {
    return read(
            "look up process " + id,
            sql.find,
            parameters -> parameters.add(id),
            ProcessColumns::stored)
        .stream()
        .findFirst();
  }

  public List<StoredProcess> list(ProcessFilter filter, int limit) {
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

  public Map<String, Long> counts() {
    return counted("count processes", sql.counts, parameters -> {});
  }

  public Map<String, Long> live(String type) {
    return counted(
        "count the active processes of " + type, sql.live, parameters -> parameters.add(type));
  }

  private Map<String, Long> counted(String what, String text, Binding binding) {
    Map<String, Long> counts = new LinkedHashMap<>();
    read(what, text, binding, row -> Map.entry(row.getString(1), row.getLong(2)))
        .forEach(count -> counts.put(count.getKey(), count.getValue()));
    return counts;
  }

  public List<ProcessLogEntry> log(UUID processId, long afterSeq, int limit) {
    return read(
        "read the log of process " + processId,
        sql.log,
        parameters -> parameters.add(processId).add(afterSeq).add(limit),
        ProcessColumns::entry);
  }

  public void postpone(UUID id, Duration delay) {
    long micros = SqlTimes.micros(delay);
    int unused =
        update(
            "postpone the timer of process " + id,
            sql.postpone,
            parameters -> parameters.add(micros).add(id));
  }

  /** Several nodes may do it at once: they pass each other's rows by. */
  public int purge(Duration olderThan, int limit) {
    long micros = SqlTimes.micros(olderThan);
    int forgotten =
        update("purge processes", sql.purge, parameters -> parameters.add(micros).add(limit));
    int unused =
        update(
            "purge definitions of processes",
            sql.purgeDefinitions,
            parameters -> parameters.add(micros));
    return forgotten;
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
