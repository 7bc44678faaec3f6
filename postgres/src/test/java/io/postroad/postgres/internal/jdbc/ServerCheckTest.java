package io.postroad.postgres.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.message.PostroadException;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.TestDatabase;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PostgresServer;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;

/** Which servers a store opens on. */
class ServerCheckTest {

  @Test
  void anOldServerIsRefusedWithItsVersion() {
    assertThatThrownBy(() -> ServerCheck.check(server(150_004, "15.4", false)))
        .isInstanceOf(PostroadException.class)
        .hasMessage("PostgreSQL must be version 16 or newer, this server is 15.4; upgrade it");
  }

  @Test
  void aReplicaIsRefusedWithWhereToGo() {
    assertThatThrownBy(() -> ServerCheck.check(server(170_000, "17.0", true)))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("read-only replica")
        .hasMessageContaining("targetServerType=primary");
  }

  @Test
  void aPrimaryOfTheOldestSupportedVersionIsAccepted() {
    assertThatCode(() -> ServerCheck.check(server(160_000, "16.0", false)))
        .doesNotThrowAnyException();
  }

  @Test
  void aServerThatIsNotThereIsSaidToBeUnreachable() {
    PGSimpleDataSource nobody = new PGSimpleDataSource();
    nobody.setUrl("jdbc:postgresql://127.0.0.1:1/none?connectTimeout=5");

    assertThatThrownBy(() -> PostgresCompetingStore.open(nobody, PostgresOptions.defaults()))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("could not open the outbox")
        .hasMessageContaining("cannot be reached");
  }

  /** It sends the parts of a text one by one, and each commits by itself. */
  @Test
  void simpleQueriesAreRefusedByTheOrderedStore() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("simple_queries")) {
      PGSimpleDataSource simple = new PGSimpleDataSource();
      simple.setUrl(database.url());
      simple.setPreferQueryMode(PreferQueryMode.SIMPLE);

      assertThatThrownBy(() -> PostgresOrderedStore.open(simple, database.options()))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("preferQueryMode=simple")
          .hasMessageContaining("prepareThreshold=0");
    }
  }

  @Test
  void aRealStandbyIsRefusedByBothStores() {
    try (PostgresServer standby = PostgresServer.startedStandby()) {
      PGSimpleDataSource replica = new PGSimpleDataSource();
      replica.setUrl(standby.jdbcUrl());

      for (SchemaMode mode : SchemaMode.values()) {
        PostgresOptions options = PostgresOptions.defaults().withSchemaMode(mode);
        assertThatThrownBy(() -> PostgresCompetingStore.open(replica, options))
            .isInstanceOf(PostroadException.class)
            .hasMessageContaining("read-only replica");
        assertThatThrownBy(() -> PostgresOrderedStore.open(replica, options))
            .isInstanceOf(PostroadException.class)
            .hasMessageContaining("read-only replica");
      }
    }
  }

  @Test
  void aDatabaseThatIsSetToReadOnlyIsRefused() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("readonly")) {
      database.execute(
          "ALTER DATABASE %s SET default_transaction_read_only = on"
              .formatted(database.value("SELECT current_database()")));
      PGSimpleDataSource readOnly = new PGSimpleDataSource();
      readOnly.setUrl(database.url());

      assertThatThrownBy(() -> PostgresCompetingStore.open(readOnly, database.options()))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("is read-only")
          .hasMessageContaining("default_transaction_read_only");
    }
  }

  @Test
  void aReadOnlyPoolIsRefused() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("readonly");
        HikariDataSource readOnly = new HikariDataSource()) {
      readOnly.setJdbcUrl(database.url());
      readOnly.setReadOnly(true);

      assertThatThrownBy(() -> PostgresOrderedStore.open(readOnly, database.options()))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("is read-only");
    }
  }

  private static ServerCheck.Server server(int number, String version, boolean inRecovery) {
    return new ServerCheck.Server(
        number, version, inRecovery, "on", "on", "read committed", false, false);
  }
}
