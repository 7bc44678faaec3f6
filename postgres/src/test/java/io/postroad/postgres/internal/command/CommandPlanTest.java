package io.postroad.postgres.internal.command;

import static io.postroad.postgres.Plans.onlyOn;
import static io.postroad.postgres.Plans.usesOnly;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.postgres.Plans;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.TestDatabase;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
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
 * The statements of commands, as they are sent, read what they need and nothing else, whatever the
 * planner believes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandPlanTest {
  private static final String ROWS =
      """
      INSERT INTO command (command_id, type, idempotency_key, business_key, payload, status,
        created_at, fingerprint, headers, correlation_id, late_allowed, deadline, available_at,
        finished_at, outcome_code)
      SELECT gen_random_uuid(), '%1$s', '%1$s-%2$s-' || i, 'b', repeat('x', 200), '%2$s', now(),
        'f', '', gen_random_uuid(), false, %3$s, %4$s, %5$s, 'COMPLETED'
      FROM generate_series(1, %6$d) AS i
      """;
  private static final String SOME_TIME_AGO = "now() - INTERVAL '1 day' + i * INTERVAL '1 ms'";
  private static final String NEVER = "NULL";
  private static final Pattern BLOCKS = Pattern.compile("\"Shared (Hit|Read) Blocks\": (\\d+)");
  private static final Pattern SORTED =
      Pattern.compile("\"Node Type\": \"Sort\".*?\"Actual Rows\": ([\\d.]+)", Pattern.DOTALL);
  private static final UUID ANY = new UUID(0, 0);
  private static final String OUTCOME = "'FAILED', 'TIMED_OUT', 'late', NULL";

  private final Map<Statistics, TestDatabase> databases = new EnumMap<>(Statistics.class);
  private final CommandSql sql = new CommandSql(PostgresOptions.defaults());

  /** What the planner knows about the rows. */
  private enum Statistics {
    FRESH,
    /** Taken while the table had no row. */
    OF_AN_EMPTY_TABLE,
    /** Taken while everything had ended. */
    OF_AN_EMPTY_QUEUE
  }

  @BeforeAll
  void fill() throws SQLException {
    for (Statistics statistics : Statistics.values()) {
      TestDatabase database = TestDatabase.migrated("command_plan");
      databases.put(statistics, database);
      // Otherwise the server mends the statistics in the middle of the test.
      database.execute("ALTER TABLE command SET (autovacuum_enabled = off)");
      if (statistics == Statistics.OF_AN_EMPTY_TABLE) {
        database.execute("VACUUM ANALYZE command");
      }
      database.execute(rows("Other", "COMPLETED", SOME_TIME_AGO, NEVER, SOME_TIME_AGO, 100_000));
      if (statistics == Statistics.OF_AN_EMPTY_QUEUE) {
        database.execute("VACUUM ANALYZE command");
      }
      database.execute(rows("Other", "PENDING", NEVER, SOME_TIME_AGO, NEVER, 100_000));
      database.execute(rows("Rare", "PENDING", SOME_TIME_AGO, SOME_TIME_AGO, NEVER, 100));
      database.execute(rows("Rarer", "PENDING", SOME_TIME_AGO, SOME_TIME_AGO, NEVER, 100));
      if (statistics == Statistics.FRESH) {
        database.execute("VACUUM ANALYZE command");
      }
    }
  }

  private static String rows(
      String type, String status, String deadline, String due, String finished, int count) {
    return ROWS.formatted(type, status, deadline, due, finished, count);
  }

  @AfterAll
  void close() {
    databases.values().forEach(TestDatabase::close);
  }

  static Stream<Arguments> situations() {
    return Stream.of(Statistics.values())
        .flatMap(
            statistics ->
                Stream.of("force_custom_plan", "force_generic_plan")
                    .map(planning -> Arguments.of(statistics, planning)));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void claimReadsNothingOfOtherTypesAndNothingThatHasEnded(Statistics statistics, String planning)
      throws Exception {
    String plan = claim(statistics, planning, "'Rare', 'Rarer', 'None'", 10);

    assertThat(plan).satisfies(usesOnly("command_due_idx", "command_pkey"));
    assertThat(blocks(plan)).as(plan).isLessThan(300);
    assertThat(mostSorted(plan)).as(plan).isLessThanOrEqualTo(20);
  }

  @ParameterizedTest
  @MethodSource("situations")
  void claimReadsNoMoreOfALongQueueThanItsLimitForEachType(Statistics statistics, String planning)
      throws Exception {
    String plan = claim(statistics, planning, "'Other', 'Rare'", 100);

    assertThat(plan).satisfies(usesOnly("command_due_idx", "command_pkey"));
    assertThat(blocks(plan)).as(plan).isLessThan(3_000);
    assertThat(mostSorted(plan)).as(plan).isLessThanOrEqualTo(200);
  }

  private String claim(Statistics statistics, String planning, String types, int limit)
      throws SQLException {
    return analyzed(
        statistics,
        planning,
        sql.claim,
        "(int, text[], int, int, text, bigint)",
        "%1$d, ARRAY[%2$s], %1$d, %1$d, 'me', 60000000".formatted(limit, types));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void expireFollowsTheIndexOfDeadlinesWithoutSettings(Statistics statistics, String planning)
      throws Exception {
    String plan =
        analyzed(
            statistics,
            planning,
            "SELECT 1;" + sql.expire,
            "(text[], int, text, text, text, text)",
            "ARRAY['%s'], 50, %s".formatted(ANY, OUTCOME));

    assertThat(plan).satisfies(onlyOn("command_deadline_idx", "command_pkey"));
    assertThat(blocks(plan)).as(plan).isLessThan(3_000);
  }

  @ParameterizedTest
  @MethodSource("situations")
  void purgeFollowsTheIndexOfWhatHasEnded(Statistics statistics, String planning) throws Exception {
    String plan = analyzed(statistics, planning, sql.purge, "(bigint, int)", "0, 100");

    assertThat(plan).satisfies(onlyOn("command_finished_idx")).contains("Tid Scan");
    assertThat(blocks(plan)).as(plan).isLessThan(1_000);
  }

  @ParameterizedTest
  @MethodSource("situations")
  void everyOtherStatementLooksItsCommandUp(Statistics statistics, String planning)
      throws Exception {
    String id = "gen_random_uuid()";
    String joined = "SELECT 1;";

    byId(statistics, planning, sql.find, "(uuid)", id);
    byId(statistics, planning, sql.finished, "(text[])", "ARRAY['%s']".formatted(ANY));
    byId(statistics, planning, sql.retry, "(bigint, text, uuid, bigint)", "0, 'x', " + id + ", 1");
    byId(
        statistics,
        planning,
        sql.release,
        "(text[], bigint[])",
        "ARRAY['%s'], ARRAY[1::bigint]".formatted(ANY));
    byId(statistics, planning, joined + sql.open, "(uuid, bigint)", id + ", 1");
    byId(
        statistics,
        planning,
        joined + sql.finish,
        "(text, text, text, text, uuid, bigint)",
        OUTCOME + ", " + id + ", 1");
    byId(
        statistics,
        planning,
        joined + sql.cancel,
        "(text, text, text, text, uuid)",
        OUTCOME + ", " + id);
    byId(
        statistics,
        planning,
        joined + sql.reply,
        "(text, text, text, text, uuid)",
        OUTCOME + ", " + id);
    byId(
        statistics,
        planning,
        joined + sql.recall,
        "(uuid, text, text, text, text)",
        id + ", " + OUTCOME);
    byId(statistics, planning, joined + sql.look, "(uuid)", id);
    byId(statistics, planning, joined + sql.arrived, "(uuid)", id);
    assertThat(plan(statistics, planning, sql.findByKey, "(text)", "'k'"))
        .satisfies(onlyOn("command_key_idx"));
    assertThat(plan(statistics, planning, joined + sql.known, "(text)", "'k'"))
        .satisfies(onlyOn("command_key_idx"));
  }

  private void byId(
      Statistics statistics, String planning, String text, String types, String arguments)
      throws SQLException {
    assertThat(plan(statistics, planning, text, types, arguments))
        .satisfies(onlyOn("command_pkey"));
  }

  /** The blocks that a statement touched. */
  private static long blocks(String analyzed) {
    Matcher blocks = BLOCKS.matcher(analyzed);
    assertThat(blocks.find()).isTrue();
    long hit = Long.parseLong(blocks.group(2));
    assertThat(blocks.find()).isTrue();
    return hit + Long.parseLong(blocks.group(2));
  }

  private static double mostSorted(String analyzed) {
    return SORTED
        .matcher(analyzed)
        .results()
        .mapToDouble(sort -> Double.parseDouble(sort.group(1)))
        .max()
        .orElse(0);
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
