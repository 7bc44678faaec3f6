package io.postroad.postgres.internal.admin;

import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.postgres.internal.queue.Settler;
import io.postroad.spi.DeadLetterStore;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import java.time.Instant;
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
    return database.list(
        "list dead letters",
        sql.list,
        parameters ->
            parameters
                .add(SqlTimes.bound(mark.diedAt()))
                .add(mark.id())
                .add(SqlTimes.bound(filter.diedFrom().orElse(Instant.MIN)))
                .add(SqlTimes.bound(filter.diedBefore().orElse(Instant.MAX)))
                .add(text(filter.destination()))
                .add(text(filter.type()))
                .add(text(filter.key()))
                .add(filter.errorContains().map(Settler::storable).orElse(""))
                .add(limit),
        row -> StoredLetter.read(row).letter());
  }

  Optional<DeadLetter> find(UUID id) {
    return database
        .list(
            "find dead letter " + id,
            sql.find,
            parameters -> parameters.add(id),
            row -> StoredLetter.read(row).letter())
        .stream()
        .findFirst();
  }

  private static @Nullable String text(Optional<String> wanted) {
    return wanted.map(Settler::storable).orElse(null);
  }
}
