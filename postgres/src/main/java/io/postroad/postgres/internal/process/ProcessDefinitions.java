package io.postroad.postgres.internal.process;

import io.postroad.message.PostroadException;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.spi.process.StoredDefinition;
import io.postroad.spi.process.StoredDefinitions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** Keeps the definitions of processes, by type and hash. Each method runs one statement. */
public final class ProcessDefinitions implements StoredDefinitions {
  private final Database database;
  private final ProcessSql sql;

  public ProcessDefinitions(Database database, ProcessSql sql) {
    this.database = database;
    this.sql = sql;
  }

  @Override
  public void keep(StoredDefinition definition) {
    int kept =
        database.call(
            "keep the definition of process " + definition.type(),
            connection -> {
              try (PreparedStatement statement = database.prepare(connection, sql.keep)) {
                new Parameters(statement)
                    .add(definition.type())
                    .add(definition.hash())
                    .add(definition.graph());
                return Database.update(statement);
              }
            });
    if (kept == 0) {
      throw new PostroadException(
          "cannot keep the definition of process %s with hash %s: another graph has this hash"
              .formatted(definition.type(), definition.hash()));
    }
  }

  @Override
  public Optional<StoredDefinition> find(String type, String hash) {
    return read(type, hash, row -> new StoredDefinition(type, hash, row.getString(1)));
  }

  @Override
  public Optional<Instant> keptSince(String type, String hash) {
    return read(type, hash, row -> row.getObject(2, OffsetDateTime.class).toInstant());
  }

  private interface Reader<R> {
    R read(ResultSet row) throws SQLException;
  }

  private <R> Optional<R> read(String type, String hash, Reader<R> reader) {
    return database.call(
        "look up a definition of process " + type,
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.definition)) {
            new Parameters(statement).add(type).add(hash);
            try (ResultSet row = Database.query(statement)) {
              return row.next() ? Optional.of(reader.read(row)) : Optional.empty();
            }
          }
        });
  }
}
