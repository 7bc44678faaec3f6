package io.postroad.postgres.internal.admin;

import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.postgres.internal.queue.Settler;
import io.postroad.spi.DeadLetterStore;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** LIST and FIND of dead letters. */
public final class DeadLetterReader {
  private static final DeadLetter.Mark BEGINNING = new DeadLetter.Mark(Instant.MIN, new UUID(0, 0));

  private final Database database;
  private final DeadLetterSql sql;

  public DeadLetterReader(Database database, DeadLetterSql sql) {
    this.database = database;
    this.sql = sql;
  }

  List<DeadLetter> list(DeadLetterFilter filter, Optional<DeadLetter.Mark> after, int limit) {
    DeadLetterStore.checkLimit(limit);
    DeadLetter.Mark mark = after.orElse(BEGINNING);
    return database.call(
        "list dead letters",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.list)) {
            new Parameters(statement)
                .add(SqlTimes.bound(mark.diedAt()))
                .add(mark.id())
                .add(SqlTimes.bound(filter.diedFrom().orElse(Instant.MIN)))
                .add(SqlTimes.bound(filter.diedBefore().orElse(Instant.MAX)))
                .add(text(filter.destination()))
                .add(text(filter.type()))
                .add(text(filter.key()))
                .add(filter.errorContains().map(Settler::storable).orElse(""))
                .add(limit);
            try (ResultSet row = Database.query(statement)) {
              return all(row).stream().map(StoredLetter::letter).toList();
            }
          }
        });
  }

  Optional<DeadLetter> find(UUID id) {
    return database.call(
        "find dead letter " + id,
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, sql.find)) {
            statement.setObject(1, id);
            try (ResultSet row = Database.query(statement)) {
              return all(row).stream().map(StoredLetter::letter).findFirst();
            }
          }
        });
  }

  static List<StoredLetter> all(ResultSet row) throws SQLException {
    List<StoredLetter> letters = new ArrayList<>();
    while (row.next()) {
      letters.add(StoredLetter.read(row));
    }
    return letters;
  }

  private static @Nullable String text(Optional<String> wanted) {
    return wanted.map(Settler::storable).orElse(null);
  }
}
