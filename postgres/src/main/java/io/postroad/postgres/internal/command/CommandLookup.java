package io.postroad.postgres.internal.command;

import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.spi.StoredCommand;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads commands, and forgets those that ended long ago; each is one statement of its own. */
public final class CommandLookup {
  private final Database database;
  private final CommandSql sql;

  public CommandLookup(Database database, CommandSql sql) {
    this.database = database;
    this.sql = sql;
  }

  public Optional<StoredCommand> find(UUID id) {
    return read("look up command " + id, sql.find, parameters -> parameters.add(id)).stream()
        .findFirst();
  }

  public Optional<StoredCommand> findByKey(String idempotencyKey) {
    return read(
            "look up a command by its key",
            sql.findByKey,
            parameters -> parameters.add(idempotencyKey))
        .stream()
        .findFirst();
  }

  public List<StoredCommand> finished(Collection<UUID> ids) {
    if (ids.isEmpty()) {
      return List.of();
    }
    List<String> texts = ids.stream().map(UUID::toString).toList();
    return read("look up ended commands", sql.finished, parameters -> parameters.addTexts(texts));
  }

  /** Several nodes may do it at once: they pass each other's rows by. */
  public int purge(Duration olderThan, int limit) {
    return database.call(
        "purge commands",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.purge)) {
            new Parameters(statement).add(SqlTimes.micros(olderThan)).add(limit);
            return Database.update(statement);
          }
        });
  }

  public Instant now() {
    return database.call(
        "read the database's clock",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.now);
              ResultSet row = Database.query(statement)) {
            row.next();
            return MessageColumns.instant(row, 1);
          }
        });
  }

  @FunctionalInterface
  private interface Binding {
    Parameters to(Parameters parameters) throws SQLException;
  }

  private List<StoredCommand> read(String what, String text, Binding binding) {
    return database.call(
        what,
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, text)) {
            var unused = binding.to(new Parameters(statement));
            List<StoredCommand> commands = new ArrayList<>();
            try (ResultSet row = Database.query(statement)) {
              while (row.next()) {
                commands.add(CommandColumns.stored(row));
              }
            }
            return commands;
          }
        });
  }
}
