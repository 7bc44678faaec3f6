package io.postroad.postgres.internal.admin;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.postgres.internal.log.LogSql;
import io.postroad.postgres.internal.queue.OutboxSql;
import io.postroad.postgres.internal.queue.Settler;
import io.postroad.spi.DeadLetterStore;
import io.postroad.store.AuditEntry;
import io.postroad.store.Decision;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The decisions of operators. */
public final class Audit {
  private static final String WRITE =
      """
      INSERT INTO ${audit} (decided_at, decided_by, action, subject, reason, detail)
      SELECT ${now}, d.decided_by, d.action, e.subject, d.reason, e.detail
      FROM (VALUES (?, ?, ?)) AS d(decided_by, action, reason)
      CROSS JOIN unnest(CAST(? AS text[]), CAST(? AS text[])) AS e(subject, detail)
      """;

  private static final String READ =
      """
      SELECT decided_at, decided_by, action, subject, reason, detail
      FROM ${audit}
      ${where}
      ORDER BY decided_at DESC, audit_id DESC
      LIMIT ?
      """;

  private static final String PURGE =
      """
      WITH old AS MATERIALIZED (
        SELECT audit_id
        FROM ${audit}
        WHERE decided_at < ?
        ORDER BY decided_at, audit_id
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      )
      DELETE FROM ${audit}
      WHERE audit_id = ANY (ARRAY(SELECT audit_id FROM old))
      """;

  private final Database database;
  private final String write;
  private final String readAll;
  private final String readOne;
  private final String purge;

  public Audit(Database database, PostgresOptions options) {
    this.database = database;
    write = OutboxSql.filled(WRITE, options);
    readAll = OutboxSql.filled(LogSql.BY_INDEX + READ.replace("${where}", ""), options);
    readOne =
        OutboxSql.filled(LogSql.BY_INDEX + READ.replace("${where}", "WHERE subject = ?"), options);
    purge = OutboxSql.filled(LogSql.BY_INDEX + PURGE, options);
  }

  /** The subject of a decision, and its state then. */
  record Subject(String name, String detail) {}

  void write(Connection transaction, String action, Decision decision, List<Subject> subjects)
      throws SQLException {
    int unused =
        database.execute(
            transaction,
            write,
            parameters ->
                parameters
                    .add(Settler.storable(decision.by()))
                    .add(action)
                    .add(Settler.storable(decision.reason()))
                    .columns(subjects)
                    .texts(Subject::name)
                    .texts(subject -> Settler.storable(subject.detail())));
  }

  List<AuditEntry> read(Optional<String> subject, int limit) {
    DeadLetterStore.checkLimit(limit);
    return database.list(
        "read the audit",
        subject.isPresent() ? readOne : readAll,
        parameters -> {
          if (subject.isPresent()) {
            parameters.add(Settler.storable(subject.get()));
          }
          parameters.add(limit);
        },
        row ->
            new AuditEntry(
                MessageColumns.instant(row, 1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6)));
  }

  int purge(Instant before, int limit) {
    DeadLetterStore.checkLimit(limit);
    return database.update(
        "purge the audit", purge, parameters -> parameters.add(SqlTimes.bound(before)).add(limit));
  }
}
