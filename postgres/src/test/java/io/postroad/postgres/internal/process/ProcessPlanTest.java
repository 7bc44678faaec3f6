package io.postroad.postgres.internal.process;

import static io.postroad.postgres.Plans.onlyOn;
import static io.postroad.postgres.Plans.usesOnly;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.postgres.Plans;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.TestDatabase;
import io.postroad.spi.process.ProcessFilter;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the statements of processes read only the rows that they need, for any state of the
 * planner believes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProcessPlanTest {
  private static final String ROWS =
      """
      WITH p AS (
        INSERT INTO process_instance (process_id, process_type, business_key, status, current_step,
          data, retries, created_at, updated_at, is_unique, is_active, definition, marking, paused,
          due_at, ended_at, last_seq)
        SELECT gen_random_uuid(), '%1$s', '%1$s-%2$s-' || i, '%2$s', 's', repeat('x', 200), 0,
          now(), now(), true, %3$s, 'hash', '{}', false, %4$s, %5$s, 1
        FROM generate_series(1, %6$d) AS i
        RETURNING process_id
      )
      INSERT INTO process_log (log_id, process_id, seq, event_type, event_data, created_at)
      SELECT gen_random_uuid(), process_id, 1, 'ProcessStarted', '{}', now()
      FROM p
      """;
  private static final String SOME_TIME_AGO = "now() - INTERVAL '1 day' + i * INTERVAL '1 ms'";
  private static final String NEVER = "NULL";
  private static final String JOINED = "SELECT 1;";
  private static final String ID = "gen_random_uuid()";
  private static final Pattern BLOCKS = Pattern.compile("\"Shared (Hit|Read) Blocks\": (\\d+)");

  private final Map<Statistics, TestDatabase> databases = new EnumMap<>(Statistics.class);
  private final ProcessSql sql = new ProcessSql(PostgresOptions.defaults());

  /** The statistics of the planner. */
  private enum Statistics {
    FRESH,
    /** Taken while the tables had no row. */
    OF_EMPTY_TABLES
  }

  @BeforeAll
  void fill() throws SQLException {
    for (Statistics statistics : Statistics.values()) {
      TestDatabase database = TestDatabase.migrated("process_plan");
      databases.put(statistics, database);
      // Otherwise the server mends the statistics in the middle of the test.
      database.execute(
          "ALTER TABLE process_instance SET (autovacuum_enabled = off);"
              + " ALTER TABLE process_log SET (autovacuum_enabled = off);"
              + " INSERT INTO process_definition VALUES ('Other', 'hash', '{}', now(), now()),"
              + " ('Other', 'old', '{}', now() - INTERVAL '9 days', now() - INTERVAL '9 days')");
      if (statistics == Statistics.OF_EMPTY_TABLES) {
        analyze(database);
      }
      database.execute(
          ROWS.formatted("Other", "SUCCEEDED", "false", NEVER, SOME_TIME_AGO, 100_000));
      database.execute(ROWS.formatted("Other", "RUNNING", "true", NEVER, NEVER, 20_000));
      database.execute(ROWS.formatted("Rare", "RUNNING", "true", SOME_TIME_AGO, NEVER, 1_000));
      database.execute(ROWS.formatted("Rare", "FAILED", "false", NEVER, SOME_TIME_AGO, 10));
      if (statistics == Statistics.FRESH) {
        analyze(database);
      }
    }
  }

  private static void analyze(TestDatabase database) throws SQLException {
    for (String table : Set.of("process_instance", "process_log", "process_definition")) {
      database.execute("VACUUM ANALYZE " + table);
    }
  }

  @AfterAll
  void close() {
    databases.values().forEach(TestDatabase::close);
  }

  private static final String SAVED =
      "text, boolean, text, text, int, boolean, text, text, text, timestamptz, timestamptz,"
          + " bigint, timestamptz";
  private static final String LOGGED = "uuid, bigint, text, text, text, timestamptz";
  private static final String SAVED_VALUES =
      "'RUNNING', true, 's', '{}', 0, false, NULL, NULL, '{}', NULL, NULL, 2, now(), ";
  private static final String LOGGED_VALUES =
      ", '%s', 2, 'e', 's', '{}', now()".formatted(new UUID(0, 0));

  static Stream<Arguments> situations() {
    return Stream.of(Statistics.values())
        .flatMap(
            statistics ->
                Stream.of("force_custom_plan", "force_generic_plan")
                    .map(planning -> Arguments.of(statistics, planning)));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void lockDueReadsTheLongestDueWithoutSettings(Statistics statistics, String planning)
      throws Exception {
    String plan = analyzed(statistics, planning, JOINED + sql.lockDue, "", "");

    assertThat(plan).satisfies(onlyOn("process_instance_due_idx"));
    assertThat(blocks(plan)).as(plan).isLessThan(20);
  }

  @ParameterizedTest
  @MethodSource("situations")
  void whatNamesAProcessLooksItUp(Statistics statistics, String planning) throws Exception {
    byId(statistics, planning, JOINED + sql.lock, "(uuid)", ID);
    byId(
        statistics,
        planning,
        JOINED + sql.save(1),
        "(" + SAVED + ", uuid, " + LOGGED + ")",
        SAVED_VALUES + ID + LOGGED_VALUES);
    byId(
        statistics,
        planning,
        JOINED + sql.saveKnown(1),
        "(" + SAVED + ", uuid, bigint, " + LOGGED + ")",
        SAVED_VALUES + ID + ", 1" + LOGGED_VALUES);
    byId(statistics, planning, sql.find, "(uuid)", ID);
    byId(statistics, planning, sql.postpone, "(bigint, uuid)", "1, " + ID);
    assertThat(plan(statistics, planning, JOINED + sql.active, "(text, text)", "'Rare', 'k'"))
        .satisfies(onlyOn("process_instance_active_idx"));
    assertThat(plan(statistics, planning, sql.log, "(uuid, bigint, int)", ID + ", 0, 10"))
        .satisfies(onlyOn("process_log_seq_idx"));
  }

  private void byId(
      Statistics statistics, String planning, String text, String types, String arguments)
      throws SQLException {
    assertThat(plan(statistics, planning, text, types, arguments))
        .satisfies(onlyOn("process_instance_pkey"));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void listReadsNothingOfOtherStatuses(Statistics statistics, String planning) throws Exception {
    ProcessFilter filter = ProcessFilter.all().withStatuses(Set.of("FAILED", "COMPENSATING"));

    String plan =
        analyzed(
            statistics,
            planning,
            sql.list(filter),
            "(text[], int, int)",
            "ARRAY['FAILED', 'COMPENSATING'], 5, 5");

    assertThat(plan).satisfies(usesOnly("process_instance_status_idx"));
    assertThat(blocks(plan)).as(plan).isLessThan(30);
  }

  @ParameterizedTest
  @MethodSource("situations")
  void listGoesByBusinessKeyOrById(Statistics statistics, String planning) throws Exception {
    ProcessFilter key = ProcessFilter.all().withBusinessKey("k").withStatuses(Set.of("FAILED"));
    ProcessFilter page = ProcessFilter.all().withAfter(new UUID(0, 0));

    assertThat(
            plan(statistics, planning, sql.list(key), "(text, text[], int)", "'k', ARRAY['F'], 5"))
        .satisfies(onlyOn("process_instance_key_idx"));
    assertThat(plan(statistics, planning, sql.list(page), "(uuid, int)", ID + ", 5"))
        .satisfies(onlyOn("process_instance_pkey"));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void liveReadsNothingThatHasEndedAndNothingOfOtherTypes(Statistics statistics, String planning)
      throws Exception {
    String plan = analyzed(statistics, planning, sql.live, "(text)", "'Rare'");

    assertThat(plan).satisfies(usesOnly("process_instance_definition_idx"));
    assertThat(plan(statistics, planning, sql.counts, "", ""))
        .satisfies(usesOnly("process_instance_status_idx"))
        .contains("Index Only Scan");
  }

  @ParameterizedTest
  @MethodSource("situations")
  void purgeReadsOnlyRowsThatItDeletes(Statistics statistics, String planning) throws Exception {
    String plan = analyzed(statistics, planning, sql.purge, "(bigint, int)", "0, 100");

    assertThat(plan)
        .satisfies(
            onlyOn("process_instance_ended_idx", "process_instance_pkey", "process_log_seq_idx"));
    assertThat(blocks(plan)).as(plan).isLessThan(3_000);
  }

  @ParameterizedTest
  @MethodSource("situations")
  void purgeOfDefinitionsLooksEachUp(Statistics statistics, String planning) throws Exception {
    String plan = analyzed(statistics, planning, sql.purgeDefinitions, "(bigint)", "0");

    assertThat(plan).contains("process_instance_definition_idx");
    assertThat(blocks(plan)).as(plan).isLessThan(50);
  }

  /** The blocks that a statement touched. */
  private static long blocks(String analyzed) {
    Matcher blocks = BLOCKS.matcher(analyzed);
    assertThat(blocks.find()).isTrue();
    long hit = Long.parseLong(blocks.group(2));
    assertThat(blocks.find()).isTrue();
    return hit + Long.parseLong(blocks.group(2));
  }

  private String plan(
      Statistics statistics, String planning, String text, String types, String arguments)
      throws SQLException {
    return Plans.explain("", database(statistics), planning, text, types, arguments);
  }

  private String analyzed(
      Statistics statistics, String planning, String text, String types, String arguments)
      throws SQLException {
    return Plans.explain(
        "ANALYZE, BUFFERS, ", database(statistics), planning, text, types, arguments);
  }

  private TestDatabase database(Statistics statistics) {
    return Objects.requireNonNull(databases.get(statistics));
  }
}
