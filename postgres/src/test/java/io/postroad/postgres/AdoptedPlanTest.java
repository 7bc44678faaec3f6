package io.postroad.postgres;

import static io.postroad.postgres.Plans.onlyOn;
import static io.postroad.postgres.Plans.usesOnly;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.layout.Layout;
import io.postroad.postgres.internal.admin.DeadLetterSql;
import io.postroad.postgres.internal.adopt.AdoptedSql;
import io.postroad.postgres.internal.queue.OutboxSql;
import io.postroad.schema.SchemaMode;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** On a team's table with 100,000 due rows the statements use the indexes that were added. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdoptedPlanTest {
  private static final String PAYMENTS =
      """
      INSERT INTO outbox_event (id, aggregate_type, aggregate_id, event_type, topic, partition_key,
        payload, status, created_at, published_at)
      SELECT gen_random_uuid(), 'P', i, 'T', 't', 'k-' || i %% 5000, repeat('x', 200), '%s',
        TIMESTAMP '2026-01-01' + i * INTERVAL '1 ms', TIMESTAMP '2026-01-01'
      FROM generate_series(1, %d) AS i
      """;
  private static final String DEALS =
      """
      INSERT INTO outbox (idempotency_key, topic, partition_key, payload, status, created_at)
      SELECT gen_random_uuid(), 't', 'k-' || i %% 5000, repeat('x', 200), '%s',
        TIMESTAMPTZ '2026-01-01 00:00:00+00' + i * INTERVAL '1 ms'
      FROM generate_series(1, %d) AS i
      """;

  private record Scene(
      TestDatabase database, AdoptedSql sql, OutboxSql queue, DeadLetterSql letters) {}

  private final Map<String, Scene> scenes = new TreeMap<>();

  static Stream<Arguments> situations() {
    return Stream.of("PAYMENT_OUTBOX", "ADVERT_MARKET")
        .flatMap(
            table ->
                Stream.of("force_custom_plan", "force_generic_plan")
                    .map(planning -> Arguments.of(table, planning)));
  }

  @BeforeAll
  void fill() throws SQLException {
    fill(AdoptedTables.PAYMENT_OUTBOX, PAYMENTS, "PUBLISHED");
    fill(AdoptedTables.ADVERT_MARKET, DEALS, "DELIVERED");
  }

  private void fill(AdoptedTables table, String rows, String delivered) throws SQLException {
    TestDatabase database = TestDatabase.empty("adopt_plan");
    database.execute(table.ddl());
    database.execute(
        "ALTER TABLE %s SET (autovacuum_enabled = off)".formatted(table.layout().table()));
    Layout layout = table.layout().withOrdered(true);
    PostgresOptions options =
        PostgresOptions.defaults()
            .withPrefix("postroad_")
            .withStreams(true)
            .withSchemaMode(SchemaMode.MIGRATE);
    PostgresCompetingStore.open(database.pool(), options, layout).close();
    database.execute(rows.formatted("PENDING", 100_000));
    database.execute(rows.formatted(delivered, 50_000));
    database.execute(rows.formatted("FAILED", 10_000).replace("'k-' || i % 5000", "'dead-' || i"));
    AdoptedSql sql =
        new AdoptedSql(new AdoptedSchema(database.pool(), options, layout).columns(), options);
    scenes.put(
        table.name(),
        new Scene(
            database, sql, new OutboxSql(sql, options), DeadLetterSql.ofAdopted(sql, options)));
  }

  @AfterAll
  void close() {
    scenes.values().forEach(scene -> scene.database.close());
  }

  private Scene scene(String table) {
    return Objects.requireNonNull(scenes.get(table));
  }

  private String index(String table, String what) throws SQLException {
    return scene(table)
        .database
        .value("SELECT relname FROM pg_class WHERE relname LIKE '%_postroad_" + what + "_%'");
  }

  private String plan(String table, String planning, String text, String types, String arguments)
      throws SQLException {
    return Plans.explain("", scene(table).database, planning, text, types, arguments);
  }

  @ParameterizedTest
  @MethodSource("situations")
  void claimFollowsTheIndexOfDueRows(String table, String planning) throws SQLException {
    String plan =
        plan(
            table,
            planning,
            scene(table).queue.claim,
            "(int, text, bigint)",
            "100, 'me', 60000000");

    assertThat(plan)
        .doesNotContain("\"Sort\"")
        .doesNotContain("\"Seq Scan\"")
        .contains(index(table, "due"), index(table, "order"), index(table, "id"));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void aClaimOfOneDestinationFollowsTheIndexOfStreams(String table, String planning)
      throws SQLException {
    String types = "(text, text, int, text, bigint)";
    String arguments = "'other', 'other', 100, 'me', 60000000";
    String block = OutboxSql.BY_INDEX + scene(table).sql.blockOfStream();

    String plan = plan(table, planning, scene(table).queue.claimOfStream, types, arguments);
    assertThat(plan)
        .doesNotContain("\"Sort\"")
        .doesNotContain("\"Seq Scan\"")
        .contains(index(table, "stream"), index(table, "order"), index(table, "id"))
        .doesNotContain(index(table, "due"));
    assertThat(plan(table, planning, block, "(text, text, int)", "'other', 'other', 1000"))
        .satisfies(onlyOn(index(table, "stream"), index(table, "order"), index(table, "id")));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void whatACallerSettlesAndWakesIsLookedUpWithoutSettings(String table, String planning)
      throws SQLException {
    Scene scene = scene(table);
    String arguments =
        "ARRAY['%s'], ARRAY[1::bigint], ARRAY['DISPATCHED'], ARRAY[0::bigint], ARRAY[0], ARRAY['x']"
            .formatted("00000000-0000-7000-8000-000000000000");
    String types = "(text[], bigint[], text[], bigint[], int[], text[])";
    assertThat(plan(table, planning, "SELECT 1;" + scene.queue.settleOne, types, arguments))
        .satisfies(usesOnly(index(table, "id")));
    assertThat(
            plan(
                table,
                planning,
                "SELECT 1;" + scene.sql.wake(),
                "(text[], text[])",
                "ARRAY['t'], ARRAY['k-1']"))
        .satisfies(usesOnly(index(table, "order"), index(table, "id")));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void rowsBehindOthersAreFoundAlongTheIndexes(String table, String planning) throws SQLException {
    assertThat(
            plan(table, planning, OutboxSql.BY_INDEX + scene(table).sql.block(), "(int)", "1000"))
        .satisfies(onlyOn(index(table, "due"), index(table, "order"), index(table, "id")));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void settleLooksUpEachMessageByItsId(String table, String planning) throws SQLException {
    String arguments =
        "ARRAY['%s'], ARRAY[1::bigint], ARRAY['DISPATCHED'], ARRAY[0::bigint], ARRAY[0], ARRAY['x']"
            .formatted("00000000-0000-7000-8000-000000000000");
    String types = "(text[], bigint[], text[], bigint[], int[], text[])";

    assertThat(plan(table, planning, scene(table).queue.settle, types, arguments))
        .satisfies(onlyOn(index(table, "id")));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void purgeBacklogFindAndListFollowTheirIndexes(String table, String planning)
      throws SQLException {
    Scene scene = scene(table);
    assertThat(plan(table, planning, scene.queue.purgeMessages, "(bigint, int)", "0, 1000"))
        .satisfies(onlyOn(index(table, "delivered"), index(table, "id")));
    assertThat(plan(table, planning, scene.queue.backlog, "", ""))
        .satisfies(usesOnly(index(table, "due"), index(table, "dead")));
    assertThat(
            plan(
                table,
                planning,
                scene.queue.find,
                "(uuid)",
                "'00000000-0000-7000-8000-000000000000'"))
        .satisfies(onlyOn(index(table, "id")));
    assertThat(
            plan(
                table,
                planning,
                scene.letters.list,
                "(timestamptz, uuid, timestamptz, timestamptz, text, text, text, text, int)",
                "now() - INTERVAL '1 day', '00000000-0000-7000-8000-000000000000', '0001-01-01',"
                    + " '9999-12-31', 't', NULL, NULL, '', 100"))
        .satisfies(onlyOn(index(table, "dead")));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void openFollowsTheIndexOfWhatIsSetAside(String table, String planning) throws SQLException {
    assertThat(
            plan(
                table,
                planning,
                OutboxSql.BY_INDEX + scene(table).sql.open(),
                "(text, int)",
                "'t', 100"))
        .satisfies(usesOnly(index(table, "aside"), index(table, "id")));
  }
}
