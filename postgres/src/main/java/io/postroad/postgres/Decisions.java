package io.postroad.postgres;

import io.postroad.store.Decision;
import io.postroad.store.WakeUps;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Carries out what people decide: the change and its audit in one transaction that is durable when
 * it returns, then a hint to the relays.
 */
final class Decisions {
  private final Database database;
  private final Audit audit;
  private final WakeUps wakeUps;
  private final String begin;

  Decisions(Database database, Audit audit, WakeUps wakeUps, PostgresOptions options) {
    this.database = database;
    this.audit = audit;
    this.wakeUps = wakeUps;
    this.begin = LogSql.filled(HeldSql.LOOKUPS + LaneSql.DURABLE, options);
  }

  /**
   * A decision on its way.
   *
   * @param note what the audit adds to what it says about the dead letter
   */
  record Verb(String action, Decision decision, String note) {
    Verb(String action, Decision decision) {
      this(action, decision, "");
    }
  }

  /**
   * @param change returns the dead letters that it changed
   */
  Set<UUID> carryOut(Verb verb, Database.Work<List<StoredLetter>> change) {
    Set<UUID> changed =
        database.transact(
            verb.action() + " dead letters",
            connection -> {
              begin(connection);
              List<StoredLetter> letters = change.run(connection);
              if (!letters.isEmpty()) {
                audit.write(connection, verb, letters);
              }
              return new HashSet<>(DeadLetterTable.ids(letters));
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
