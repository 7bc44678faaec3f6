package io.postroad.postgres;

import io.postroad.message.PostroadException;
import io.postroad.store.ProcessLogEntry;
import io.postroad.store.ProcessStore.Locked;
import io.postroad.store.StoredProcess;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** START, LOCK and SAVE in a transaction of the caller, each one statement on its connection. */
final class ProcessSteps {
  private static final int RUNS = 3;
  private static final int NOW = ProcessColumns.COUNT + 1;

  private final ProcessSql sql;

  ProcessSteps(ProcessSql sql) {
    this.sql = sql;
  }

  /** The one that has the business key may end before it is looked at: then the key is free. */
  Optional<UUID> start(Connection transaction, StoredProcess process, List<ProcessLogEntry> log) {
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
    return JoinedStatement.insert(
        transaction,
        "start",
        "start process " + process.id(),
        sql.start,
        statement -> {
          ProcessColumns.bindStart(statement, process, log);
          try (ResultSet row = statement.executeQuery()) {
            return row.next();
          }
        });
  }

  private Optional<UUID> active(Connection transaction, StoredProcess process) {
    return JoinedStatement.run(
        transaction,
        "start",
        "look up the process that has the business key of process " + process.id(),
        sql.active,
        statement -> {
          new Parameters(statement).add(process.type()).add(process.businessKey());
          try (ResultSet row = statement.executeQuery()) {
            return row.next() ? Optional.of(row.getObject(1, UUID.class)) : Optional.empty();
          }
        });
  }

  Optional<Locked> lock(Connection transaction, UUID id) {
    return JoinedStatement.run(
        transaction,
        "lock",
        "lock process " + id,
        sql.lock,
        statement -> {
          new Parameters(statement).add(id);
          return locked(statement);
        });
  }

  Instant now(Connection transaction) {
    return JoinedStatement.insert(
        transaction,
        "now",
        "read the database's clock",
        sql.clock,
        statement -> {
          try (ResultSet row = statement.executeQuery()) {
            row.next();
            return MessageColumns.instant(row, 1);
          }
        });
  }

  Optional<Locked> lockDue(Connection transaction) {
    return JoinedStatement.run(
        transaction,
        "lockDue",
        "lock a process whose timer is due",
        sql.lockDue,
        ProcessSteps::locked);
  }

  private static Optional<Locked> locked(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      return row.next()
          ? Optional.of(new Locked(ProcessColumns.stored(row), MessageColumns.instant(row, NOW)))
          : Optional.empty();
    }
  }

  void save(Connection transaction, StoredProcess process, List<ProcessLogEntry> log) {
    requireStorable(process);
    boolean known =
        JoinedStatement.run(
            transaction,
            "save",
            "save process " + process.id(),
            sql.save,
            statement -> {
              ProcessColumns.bindSave(statement, process, log);
              try (ResultSet row = statement.executeQuery()) {
                return row.next();
              } catch (SQLException failed) {
                if (SqlErrors.isDuplicate(failed)) {
                  throw collision(process, failed);
                }
                throw failed;
              }
            });
    if (!known) {
      throw new PostroadException(
          "could not save process %s: there is none, or it was purged; roll back"
              .formatted(process.id()));
    }
  }

  /** The transaction can only be rolled back after it. */
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
