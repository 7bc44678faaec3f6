package io.postroad.postgres.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.internal.store.SchemaFile;
import io.postroad.message.Message;
import io.postroad.postgres.PostgresCommandStore;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresInboxStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.PostgresSchema;
import io.postroad.postgres.PostgresSchemaFixture;
import io.postroad.postgres.TestDatabase;
import io.postroad.schema.SchemaMode;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application whose own Flyway creates our tables, before its own. */
@Timeout(120)
class FlywayFilesTest {
  private static final String OURS = "classpath:io/postroad/postgres/flyway";
  private static final String THEIRS = "classpath:io/postroad/postgres/application";

  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.empty("flyway");
    database.execute("DROP FUNCTION test_now; DROP TABLE test_clock");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void theSchemaIsTheOneThatMigrateMakes() throws Exception {
    flyway(OURS).load().migrate();
    database.execute("DROP TABLE flyway_schema_history");
    try (TestDatabase migrated = TestDatabase.empty("flyway_not")) {
      migrated.execute("DROP FUNCTION test_now; DROP TABLE test_clock");
      new PostgresSchema(migrated.pool(), PostgresOptions.defaults()).migrate();

      assertThat(snapshot(database)).isEqualTo(snapshot(migrated));
    }
  }

  @Test
  void everyStoreOpensInEveryModeAndChangeNothing() throws Exception {
    flyway(OURS, THEIRS).load().migrate();
    String before = new PostgresSchemaFixture(database).snapshot();

    for (SchemaMode mode : SchemaMode.values()) {
      PostgresOptions options = PostgresOptions.defaults().withSchemaMode(mode);
      PostgresCompetingStore.open(database.pool(), options).close();
      PostgresOrderedStore.open(database.pool(), options).close();
      PostgresInboxStore.open(database.pool(), options).close();
      PostgresCommandStore.open(database.pool(), options).close();
    }

    assertThat(new PostgresSchemaFixture(database).snapshot()).isEqualTo(before);
  }

  @Test
  void theApplicationGoesOnWithNumberThreeAndOursAreNotInItsLine() throws Exception {
    Flyway flyway = flyway(OURS, THEIRS).load();

    flyway.migrate();
    flyway.validate();

    assertThat(database.rows("SELECT version, description FROM flyway_schema_history ORDER BY 1"))
        .containsExactly("1|baseline", "2|process manager", "3|orders");
    assertThat(database.rows("SELECT version, file FROM postroad_schema_history ORDER BY 1"))
        .containsExactly("1|V1__baseline.sql", "2|V2__process_manager.sql");
    assertThat(flyway.migrate().migrationsExecuted).isZero();
  }

  @Test
  void everyStepAfterTheSecondStaysOutOfTheLocation() {
    assertThat(Arrays.stream(flyway(OURS).load().info().all()).map(m -> m.getScript()))
        .containsExactlyElementsOf(
            SchemaSteps.ALL.stream()
                .filter(step -> step.version() <= 2)
                .map(SchemaFile::file)
                .toList());
  }

  @Test
  void schemaPrefixAndLanesAreTheApplicationsChoice() throws Exception {
    PostgresOptions options =
        PostgresOptions.defaults().withSchema("mail").withPrefix("eu_").withLanes(4);
    flyway(OURS)
        .defaultSchema("mail")
        .placeholders(Map.of("prefix", "eu_", "lanes", "4"))
        .load()
        .migrate();

    try (PostgresOrderedStore store = PostgresOrderedStore.open(database.pool(), options)) {
      Message message = Message.event("T").to("d").key("k").json("{}").build();
      store.transactions().run(c -> store.append(c, List.of(message), Duration.ofDays(1)));
      assertThat(database.rows("SELECT outbox_id FROM mail.eu_outbox"))
          .containsExactly(message.id().toString());
    }
    assertThatThrownBy(() -> PostgresOrderedStore.open(database.pool(), options.withLanes(2)))
        .hasMessageContaining("was set up with 4 lanes");
  }

  @Test
  void withoutThePlaceholdersFlywayNamesThem() {
    assertThatThrownBy(() -> flyway(OURS).placeholders(Map.of()).load().migrate())
        .isInstanceOf(FlywayException.class)
        .hasMessageContaining("${prefix}");
  }

  @Test
  void aDatabaseThatMigrateMadeIsGivenToFlywayWithABaseline() throws Exception {
    new PostgresSchema(database.pool(), PostgresOptions.defaults()).migrate();

    flyway(OURS, THEIRS).baselineOnMigrate(true).baselineVersion("2").load().migrate();

    assertThat(database.rows("SELECT version FROM flyway_schema_history ORDER BY 1"))
        .containsExactly("2", "3");
    new PostgresSchema(database.pool(), PostgresOptions.defaults()).verify();
  }

  private FluentConfiguration flyway(String... locations) {
    return Flyway.configure()
        .dataSource(database.pool())
        .locations(locations)
        .placeholders(Map.of("prefix", "", "lanes", "1"));
  }

  /** Without the moment at which a step was applied. */
  private static String snapshot(TestDatabase database) throws SQLException {
    return new PostgresSchemaFixture(database)
        .snapshot()
        .lines()
        .map(line -> line.replaceAll("\\|\\d{4}-\\d\\d-\\d\\d [^|]*\\|", "|when|"))
        .collect(Collectors.joining("\n"));
  }
}
