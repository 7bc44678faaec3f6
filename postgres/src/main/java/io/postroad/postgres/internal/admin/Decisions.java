package io.postroad.postgres.internal.admin;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.log.BlockedMessageSql;
import io.postroad.postgres.internal.log.LaneSql;
import io.postroad.postgres.internal.log.LogSql;
import io.postroad.spi.WakeUps;
import io.postroad.store.AuditEntry;
import io.postroad.store.Decision;
import io.postroad.store.Pause;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Carries out the decisions of operators: the change and its audit in one transaction that is
 * durable when it returns, then a hint to the relays.
 */
public final class Decisions {
  private final Database database;
  private final Audit audit;
  private final WakeUps wakeUps;
  private final String begin;

  public Decisions(Database database, Audit audit, WakeUps wakeUps, PostgresOptions options) {
    this.database = database;
    this.audit = audit;
    this.wakeUps = wakeUps;
    this.begin = LogSql.filled(BlockedMessageSql.LOOKUPS + LaneSql.DURABLE, options);
  }

  /**
   * A decision on its way.
   *
   * @param note a text that the audit adds about the dead letter
   */
  record Verb(String action, Decision decision, String note) {
    Verb(String action, Decision decision) {
      this(action, decision, "");
    }

    private Audit.Subject about(StoredLetter stored) {
      String detail = AuditEntry.about(stored.letter()) + note;
      return new Audit.Subject(stored.letter().id().toString(), detail);
    }
  }

  /**
   * @param change returns the dead letters that it changed
   */
  Set<UUID> carryOut(Verb verb, Database.Work<List<StoredLetter>> change) {
    List<StoredLetter> changed = carryOut(verb, "dead letters", verb::about, change);
    return new HashSet<>(DeadLetterTable.ids(changed));
  }

  /**
   * @param change returns the pause that it began or ended
   */
  boolean carryOut(
      Verb verb, Function<Pause, Audit.Subject> about, Database.Work<List<Pause>> change) {
    return !carryOut(verb, "a destination", about, change).isEmpty();
  }

  private <S> List<S> carryOut(
      Verb verb, String what, Function<S, Audit.Subject> about, Database.Work<List<S>> change) {
    List<S> changed =
        database.transact(
            verb.action() + " " + what,
            connection -> {
              begin(connection);
              List<S> subjects = change.run(connection);
              if (!subjects.isEmpty()) {
                audit.write(
                    connection,
                    verb.action(),
                    verb.decision(),
                    subjects.stream().map(about).toList());
              }
              return subjects;
            });
    if (!changed.isEmpty()) {
      wakeUps.signal();
    }
    return changed;
  }

  private void begin(Connection connection) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, begin)) {
      statement.execute();
    }
  }
}
