package io.postroad.faults;

import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.store.OutboxStore;
import java.sql.Connection;
import javax.sql.DataSource;

/** Which of the two outboxes a scene is about. */
enum StoreKind {
  COMPETING {
    @Override
    OutboxStore<Connection> open(DataSource dataSource, PostgresOptions options) {
      return PostgresCompetingStore.open(dataSource, options);
    }
  },
  /** Promises order per key. */
  ORDERED {
    @Override
    OutboxStore<Connection> open(DataSource dataSource, PostgresOptions options) {
      return PostgresOrderedStore.open(dataSource, options);
    }
  };

  abstract OutboxStore<Connection> open(DataSource dataSource, PostgresOptions options);
}
