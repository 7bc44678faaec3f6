package io.postroad.postgres.internal.admin;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.queue.OutboxSql;
import io.postroad.postgres.internal.queue.Settler;
import io.postroad.spi.PauseStore;
import io.postroad.store.AuditEntry;
import io.postroad.store.Decision;
import io.postroad.store.Pause;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** The destinations that people have paused: a row each, for both stores. */
public final class Pauses implements PauseStore {
  private static final String COLUMNS = "destination, paused_at, paused_by, reason";

  private static final String PAUSE =
      """
      INSERT INTO ${pause} (${columns})
      VALUES (?, ${now}, ?, ?)
      ON CONFLICT (destination) DO NOTHING
      RETURNING ${columns}
      """;

  private static final String RESUME =
      """
      DELETE FROM ${pause}
      WHERE destination = ?
      RETURNING ${columns}
      """;

  private static final String LIST =
      """
      SELECT ${columns}
      FROM ${pause}
      ORDER BY destination
      """;

  private final Database database;
  private final Decisions decisions;
  private final String pause;
  private final String resume;
  private final String list;

  public Pauses(Database database, Decisions decisions, PostgresOptions options) {
    this.database = database;
    this.decisions = decisions;
    pause = filled(PAUSE, options);
    resume = filled(RESUME, options);
    list = filled(LIST, options);
  }

  private static String filled(String statement, PostgresOptions options) {
    return OutboxSql.filled(statement.replace("${columns}", COLUMNS), options);
  }

  @Override
  public boolean pause(String destination, Decision decision) {
    PauseStore.checkDestination(destination);
    return decisions.carryOut(
        new Decisions.Verb("pause", decision),
        begun -> new Audit.Subject(begun.destination(), AuditEntry.PAUSED),
        connection ->
            database.rows(
                connection,
                pause,
                parameters ->
                    parameters
                        .add(destination)
                        .add(Settler.storable(decision.by()))
                        .add(Settler.storable(decision.reason())),
                Pauses::read));
  }

  @Override
  public boolean resume(String destination, Decision decision) {
    PauseStore.checkDestination(destination);
    return decisions.carryOut(
        new Decisions.Verb("resume", decision),
        ended -> new Audit.Subject(ended.destination(), AuditEntry.about(ended)),
        connection ->
            database.rows(
                connection, resume, parameters -> parameters.add(destination), Pauses::read));
  }

  @Override
  public List<Pause> list() {
    return database.call(
        "list paused destinations",
        connection -> database.rows(connection, list, parameters -> {}, Pauses::read));
  }

  private static Pause read(ResultSet row) throws SQLException {
    return new Pause(
        row.getString(1), MessageColumns.instant(row, 2), row.getString(3), row.getString(4));
  }
}
