package io.postroad.postgres.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.internal.store.SchemaFile;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresSchema;
import io.postroad.postgres.TestDatabase;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import io.postroad.schema.SchemaException;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What the schema says to people; that it works is the migration contract's matter. */
@Timeout(120)
class PostgresSchemaTest {
  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.empty("schema");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void openingWithoutTablesSaysHowToGetThem() {
    assertThatThrownBy(database::open)
        .isInstanceOf(SchemaException.class)
        .hasMessage(
            "Postroad's tables are missing in schema \"public\" (needs version 2, found none): run"
                + " PostgresSchema.migrate(), open the store with SchemaMode.MIGRATE, or have a DBA"
                + " run PostgresSchema.script()");
  }

  @Test
  void aNewerDatabaseSaysToUpgradeTheLibrary() throws Exception {
    schema().migrate();
    database.execute(
        "INSERT INTO postroad_schema_history (version, file, checksum) VALUES (7, '', '')");

    assertThatThrownBy(database::open)
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining(
            "the database is at version 7, this library knows 2; upgrade the library");
  }

  @Test
  void anotherTextOfAnAppliedStepIsNamed() throws Exception {
    schema().migrate();
    database.execute("UPDATE postroad_schema_history SET checksum = 'feedfacecafebeef'");

    assertThatThrownBy(() -> schema().verify())
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("V1__baseline.sql")
        .hasMessageContaining("feedfacecafe");
  }

  @Test
  void everythingThatIsMissingIsNamed() throws Exception {
    schema().migrate();
    database.execute(
        "DROP VIEW outbox; DROP TABLE outbox_dedup; DROP INDEX outbox_queue_failed_idx");

    assertThatThrownBy(() -> schema().verify())
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining(
            "missing: outbox_queue_failed_idx, outbox_dedup, outbox_dedup_pkey,"
                + " outbox_dedup_expires_idx, outbox;");
  }

  @Test
  void theIndexOfStreamsIsAddedVerifiedAndPrinted() throws Exception {
    schema().migrate();
    PostgresOptions streams = database.options().withStreams(true);
    PostgresSchema withStreams = new PostgresSchema(database.pool(), streams);
    assertThatThrownBy(withStreams::verify)
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("SchemaMode.MIGRATE")
        .hasMessageContaining(StreamIndex.createBesideWriters(streams));

    withStreams.migrate();
    withStreams.migrate();
    String migrated = indexOfStreams();
    schema().verify();
    database.execute("DROP INDEX outbox_queue_stream_idx");
    database.execute(StreamIndex.createBesideWriters(streams));

    withStreams.verify();
    assertThat(indexOfStreams()).isEqualTo(migrated);
    assertThat(withStreams.script()).contains(StreamIndex.create(streams) + ";");
    assertThat(schema().script()).doesNotContain(StreamIndex.NAME);
  }

  @Test
  void onlyAStoreWithStreamsTakesOneDestination() throws Exception {
    schema().migrate();
    try (PostgresCompetingStore store = database.open()) {
      ClaimRequest request = new ClaimRequest("n", 10, Duration.ofMinutes(1)).of("wiki");

      assertThatThrownBy(() -> store.claim(request))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("'wiki'")
          .hasMessageContaining("PostgresOptions.withStreams(true)");
    }
  }

  private String indexOfStreams() throws SQLException {
    return database.value("SELECT pg_get_indexdef('outbox_queue_stream_idx'::regclass)");
  }

  @Test
  void aSchemaAndPrefixOfTheirOwnHoldAWholeOutbox() throws Exception {
    PostgresOptions options =
        database.options().withSchema("mail").withPrefix("eu_").withSchemaMode(SchemaMode.MIGRATE);
    PostgresOptions other = options.withPrefix("us_");
    Message message = Message.event("T").to("d").deduplicationKey("k").json("{}").build();
    try (PostgresCompetingStore store = PostgresCompetingStore.open(database.pool(), options);
        PostgresCompetingStore beside = PostgresCompetingStore.open(database.pool(), other)) {
      store.transactions().run(c -> store.append(c, List.of(message), Duration.ofDays(1)));

      assertThat(database.rows("SELECT outbox_id FROM mail.eu_outbox"))
          .containsExactly(message.id().toString());
      assertThat(beside.backlog().pending()).isZero();
      assertThat(store.claim(new ClaimRequest("n", 10, Duration.ofMinutes(1)))).hasSize(1);
    }
    assertThat(
            database.rows(
                "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
                    + " AND relname LIKE '%outbox%'"))
        .isEmpty();
  }

  @Test
  void theScriptForAnotherSchemaIsComplete() throws Exception {
    PostgresOptions options = database.options().withSchema("mail").withPrefix("eu_");

    database.execute(new PostgresSchema(database.pool(), options).script());

    PostgresCompetingStore.open(database.pool(), options).close();
  }

  @Test
  void aRoleThatMayNotCreateOpensAnUpToDateSchemaInAnyMode() throws Exception {
    schema().migrate();
    database.execute(
        """
        CREATE ROLE app_%1$s LOGIN;
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO app_%1$s;
        """
            .formatted(database.value("SELECT current_database()")));
    PGSimpleDataSource asApp = new PGSimpleDataSource();
    asApp.setUrl(database.url());
    asApp.setUser("app_" + database.value("SELECT current_database()"));

    for (SchemaMode mode : SchemaMode.values()) {
      PostgresCompetingStore.open(asApp, database.options().withSchemaMode(mode)).close();
    }
    PostgresOptions elsewhere =
        database.options().withPrefix("new_").withSchemaMode(SchemaMode.MIGRATE);
    assertThatThrownBy(() -> PostgresCompetingStore.open(asApp, elsewhere))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("the role lacks a right");
  }

  @Test
  void aNodeThatWaitedForAnotherFindsItsWorkEvenUnderAStricterIsolation() throws Exception {
    PGSimpleDataSource strict = new PGSimpleDataSource();
    strict.setUrl(database.url());
    strict.setOptions("-c default_transaction_isolation=serializable");
    PostgresSchema node = new PostgresSchema(strict, database.options());
    try (Connection other = database.pool().getConnection()) {
      other.setAutoCommit(false);
      schema().lock(other);
      CompletableFuture<Void> waiting = CompletableFuture.runAsync(node::migrate);
      database.awaitLockWait();

      database.execute(schema().script());
      other.rollback();

      waiting.get(60, TimeUnit.SECONDS);
    }
    assertThat(node.installedVersion()).isEqualTo(2);
  }

  @Test
  void aPreparedStatementThatThePoolerLostSaysWhatToSet() {
    assertThatThrownBy(() -> database.execute("EXECUTE lost"))
        .isInstanceOfSatisfying(
            SQLException.class,
            lost ->
                assertThat(SqlErrors.failed("claim messages", lost))
                    .hasMessageContaining("transaction pooler")
                    .hasMessageContaining("prepareThreshold=0"));
  }

  @Test
  void theChecksumDoesNotDependOnLineEndings() {
    SchemaFile step = SchemaSteps.ALL.get(0);
    String windows = step.text().replace("\n", " \r\n");

    assertThat(new SchemaFile(1, step.file(), SchemaFile.normalised(windows)).checksum())
        .isEqualTo(step.checksum());
  }

  private PostgresSchema schema() {
    return new PostgresSchema(database.pool(), database.options());
  }
}
