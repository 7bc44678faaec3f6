package io.postroad.postgres.internal.append;

import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.internal.adopt.AdoptedSql;
import io.postroad.postgres.internal.jdbc.BatchColumns;
import io.postroad.postgres.internal.jdbc.PlanAnew;
import io.postroad.postgres.internal.log.LogSql;
import io.postroad.postgres.internal.queue.OutboxSql;
import io.postroad.spi.OutboxStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Which messages an outbox has already, by their ids, delivered ones too. */
@FunctionalInterface
public interface StoredIds {
  String OF_QUEUE =
      """
      SELECT outbox_id
      FROM ${queue} AS q
      WHERE outbox_id = ANY (CAST(CAST(? AS text[]) AS uuid[]))
      """;

  String OF_LOG =
      """
      WITH w AS MATERIALIZED (
        SELECT CAST(CAST(? AS text[]) AS uuid[]) AS ids
      )
      SELECT outbox_id
      FROM ${log}
      WHERE outbox_id = ANY ((SELECT ids FROM w)::uuid[])
      UNION ALL
      SELECT outbox_id
      FROM ${held}
      WHERE outbox_id = ANY ((SELECT ids FROM w)::uuid[])
      UNION ALL
      SELECT outbox_id
      FROM ${scheduled}
      WHERE outbox_id = ANY ((SELECT ids FROM w)::uuid[])
      """;

  Set<UUID> among(Connection connection, List<UUID> ids) throws SQLException;

  static StoredIds of(OutboxStore<Connection> store) {
    if (store instanceof PostgresOrderedStore ordered) {
      return ordered::storedAmong;
    }
    if (store instanceof PostgresCompetingStore competing) {
      return competing::storedAmong;
    }
    return (connection, ids) ->
        ids.stream().filter(id -> store.find(id).isPresent()).collect(Collectors.toSet());
  }

  static StoredIds ofQueue(PostgresOptions options) {
    return by(OutboxSql.filled(OF_QUEUE, options));
  }

  /** Of a table of a team. */
  static StoredIds ofAdopted(AdoptedSql adopted, PostgresOptions options) {
    return by(OutboxSql.filled(OF_QUEUE.replace("${queue}", adopted.rows()), options));
  }

  static StoredIds ofLog(PostgresOptions options) {
    return by(LogSql.filled(OF_LOG, options));
  }

  private static StoredIds by(String sql) {
    return (connection, ids) -> {
      Set<UUID> stored = new HashSet<>();
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        PlanAnew.at(statement);
        new BatchColumns<>(statement, ids).texts(id -> id);
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            stored.add(row.getObject(1, UUID.class));
          }
        }
      }
      return stored;
    };
  }
}
