package io.postroad.postgres.internal.queue;

import io.postroad.postgres.internal.admin.BlockedDestinationSql;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.store.BlockedDestination;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Messages of the queue that are blocked by their destination. */
public final class BlockedQueue {
  private final Database database;
  private final BlockedDestinationSql sql;

  public BlockedQueue(Database database, BlockedDestinationSql sql) {
    this.database = database;
    this.sql = sql;
  }

  public Set<String> destinations() {
    return database
        .<Optional<String>>list(
            "read the blocked destinations",
            sql.destinations,
            parameters -> {},
            row -> Optional.ofNullable(row.getString(1)))
        .stream()
        .flatMap(Optional::stream)
        .collect(Collectors.toSet());
  }

  public int open(String destination, int limit) {
    BlockedDestination.checkLimit(limit);
    return database.update(
        "open destination " + destination,
        sql.open,
        parameters -> parameters.add(destination).add(limit));
  }
}
