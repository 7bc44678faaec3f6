package io.postroad.postgres.internal.queue;

import static io.postroad.postgres.Plans.onlyOn;
import static io.postroad.postgres.Plans.usesOnly;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.postgres.Plans;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresSchema;
import io.postroad.postgres.TestDatabase;
import io.postroad.postgres.internal.admin.BlockedDestinationSql;
import io.postroad.postgres.internal.admin.DeadLetterSql;
import io.postroad.postgres.internal.log.BlockedMessageSql;
import io.postroad.postgres.internal.schema.StreamIndex;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The statements, as they are sent, use the indexes meant for them whatever the planner believes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlanTest {
  private static final String MILLISECONDS = " + i * INTERVAL '1 ms'";
  private static final String ROWS =
      """
      INSERT INTO outbox_queue (outbox_id, category, type, destination, schema_version, headers,
        content_type, payload, created_at, available_at, status, settled_at)
      SELECT gen_random_uuid(), 'event', 'T', 'd', 1, '', 'application/json', repeat('x', 200),
        now(), now() - INTERVAL '1 day'%s, '%s', %s
      FROM generate_series(1, %d) AS i
      """;
  private static final String ASIDE =
      """
      INSERT INTO outbox_queue (outbox_id, category, type, destination, schema_version, headers,
        content_type, payload, created_at, available_at, aside_at)
      SELECT gen_random_uuid(), 'event', 'T', 'd' || LEAST(i % 100, 9), 1, '', 'application/json', '{}',
        now(), '9999-01-01 00:00:00+00', now() - i * INTERVAL '1 s'
      FROM generate_series(1, 100000) AS i
      """;
  private static final Pattern BLOCKS = Pattern.compile("\"Shared (Hit|Read) Blocks\": (\\d+)");
  private static final String KEYS =
      """
      INSERT INTO outbox_dedup (dedup_key, outbox_id, expires_at)
      SELECT 'key-' || i, gen_random_uuid(), now() - INTERVAL '1 day' + i * INTERVAL '1 ms'
      FROM generate_series(1, 200000) AS i
      """;

  private final Map<Statistics, TestDatabase> databases = new EnumMap<>(Statistics.class);
  private final OutboxSql sql = new OutboxSql(PostgresOptions.defaults());
  private final BlockedDestinationSql aside =
      BlockedDestinationSql.ofQueue(PostgresOptions.defaults());
  private final DeadLetterSql letters = DeadLetterSql.ofQueue(PostgresOptions.defaults());

  /** What the planner knows about the 200,000 waiting rows. */
  private enum Statistics {
    FRESH,
    /** Taken while the table had no row. */
    OF_AN_EMPTY_TABLE,
    /** Taken while the table held delivered messages only. */
    OF_AN_EMPTY_QUEUE
  }

  @BeforeAll
  void fill() throws SQLException {
    for (Statistics statistics : Statistics.values()) {
      TestDatabase database = TestDatabase.migrated("plan");
      new PostgresSchema(database.pool(), database.options().withStreams(true)).migrate();
      databases.put(statistics, database);
      // Otherwise the server mends the statistics in the middle of the test.
      database.execute("ALTER TABLE outbox_queue SET (autovacuum_enabled = off)");
      database.execute("ALTER TABLE outbox_dedup SET (autovacuum_enabled = off)");
      if (statistics == Statistics.OF_AN_EMPTY_QUEUE) {
        database.execute(ROWS.formatted(MILLISECONDS, "DISPATCHED", "now()", 50_000));
      }
      if (statistics != Statistics.FRESH) {
        analyze(database);
      }
      database.execute(ROWS.formatted(MILLISECONDS, "PENDING", "NULL", 200_000));
      database.execute(ROWS.formatted(MILLISECONDS, "DISPATCHED", "now()", 20_000));
      database.execute(ROWS.formatted(MILLISECONDS, "FAILED", "now()", 20_000));
      database.execute(
          ROWS.formatted(MILLISECONDS, "PENDING", "NULL", 20).replace("'T', 'd'", "'T', 'rare'"));
      database.execute(ASIDE);
      database.execute(KEYS);
      if (statistics == Statistics.FRESH) {
        analyze(database);
      }
    }
  }

  private static void analyze(TestDatabase database) throws SQLException {
    database.execute("VACUUM ANALYZE outbox_queue");
    database.execute("VACUUM ANALYZE outbox_dedup");
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
  void claimFollowsTheIndexOfDueMessages(Statistics statistics, String planning) throws Exception {
    assertThat(plan(statistics, planning, sql.claim, "(int, text, bigint)", "1000, 'me', 60000000"))
        .satisfies(onlyOn("outbox_queue_due_idx", "outbox_queue_pkey"));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void aClaimOfOneDestinationReadsNothingOfOthers(Statistics statistics, String planning)
      throws Exception {
    String plan =
        analyzed(
            statistics,
            planning,
            sql.claimOfStream,
            "(text, text, int, text, bigint)",
            "'rare', 'rare', 10, 'me', 60000000");

    assertThat(plan).satisfies(onlyOn(StreamIndex.NAME, "outbox_queue_pkey"));
    assertThat(blocks(plan)).as(plan).isLessThan(600);
  }

  @ParameterizedTest
  @MethodSource("situations")
  void aSettlementOfTheCallerLooksUpItsMessageWithoutSettings(
      Statistics statistics, String planning) throws Exception {
    String arguments =
        "ARRAY['00000000-0000-7000-8000-000000000000'], ARRAY[1::bigint], ARRAY['DISPATCHED'],"
            + " ARRAY[0::bigint], ARRAY[0], ARRAY['x']";
    String types = "(text[], bigint[], text[], bigint[], int[], text[])";

    assertThat(plan(statistics, planning, "SELECT 1;" + sql.settleOne, types, arguments))
        .satisfies(onlyOn("outbox_queue_pkey"));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void settleLooksUpEachMessageByItsId(Statistics statistics, String planning) throws Exception {
    String arguments =
        ids(statistics)
            + ", array_fill(1::bigint, ARRAY[1000]), array_fill('DISPATCHED'::text, ARRAY[1000]),"
            + " array_fill(0::bigint, ARRAY[1000]), array_fill(0, ARRAY[1000]),"
            + " array_fill('x'::text, ARRAY[1000])";
    String types = "(text[], bigint[], text[], bigint[], int[], text[])";

    assertThat(plan(statistics, planning, sql.settle, types, arguments))
        .satisfies(onlyOn("outbox_queue_pkey"));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void extendLooksUpEachMessageByItsId(Statistics statistics, String planning) throws Exception {
    String arguments = ids(statistics) + ", array_fill(1::bigint, ARRAY[1000]), 60000000";

    assertThat(plan(statistics, planning, sql.extend, "(text[], bigint[], bigint)", arguments))
        .satisfies(onlyOn("outbox_queue_pkey"));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void purgeFollowsTheIndexOfDeliveredMessages(Statistics statistics, String planning)
      throws Exception {
    assertThat(plan(statistics, planning, sql.purgeMessages, "(bigint, int)", "0, 1000"))
        .satisfies(onlyOn("outbox_queue_dispatched_idx", "outbox_queue_pkey"));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void purgeFollowsTheIndexOfExpiredKeys(Statistics statistics, String planning) throws Exception {
    assertThat(plan(statistics, planning, sql.purgeKeys, "(int)", "1000"))
        .satisfies(onlyOn("outbox_dedup_expires_idx", "outbox_dedup_pkey"));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void backlogCountsAlongThePartialIndexes(Statistics statistics, String planning)
      throws Exception {
    assertThat(plan(statistics, planning, sql.backlog, "", ""))
        .satisfies(onlyOn("outbox_queue_due_idx", "outbox_queue_failed_idx"));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void findLooksUpTheMessageByItsId(Statistics statistics, String planning) throws Exception {
    String unknown = "'00000000-0000-7000-8000-000000000000'";

    assertThat(plan(statistics, planning, sql.find, "(uuid)", unknown))
        .satisfies(onlyOn("outbox_queue_pkey"));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void listFollowsTheIndexOfDeadLetters(Statistics statistics, String planning) throws Exception {
    String types = "(timestamptz, uuid, timestamptz, timestamptz, text, text, text, text, int)";
    String arguments =
        "now() - INTERVAL '1 day', '00000000-0000-7000-8000-000000000000', '0001-01-01',"
            + " '9999-12-31', 'd', NULL, NULL, '', 100";

    assertThat(plan(statistics, planning, letters.list, types, arguments))
        .satisfies(onlyOn("outbox_queue_failed_idx"));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void decisionsLookUpEachDeadLetterByItsId(Statistics statistics, String planning)
      throws Exception {
    String lock = BlockedMessageSql.LOOKUPS + letters.lock;

    assertThat(plan(statistics, planning, lock, "(text[])", ids(statistics)))
        .satisfies(onlyOn("outbox_queue_pkey"));
  }

  @ParameterizedTest
  @MethodSource("situations")
  void openFollowsTheIndexOfMessagesSetAside(Statistics statistics, String planning)
      throws Exception {
    String plan = analyzed(statistics, planning, aside.open, "(text, int)", "'d9', 100");

    assertThat(plan).satisfies(onlyOn("outbox_queue_aside_idx", "outbox_queue_pkey"));
    assertThat(blocks(plan)).as(plan).isLessThan(3_000);
  }

  @ParameterizedTest
  @MethodSource("situations")
  void destinationsAsideAreLookedUpOneByOne(Statistics statistics, String planning)
      throws Exception {
    String plan = analyzed(statistics, planning, aside.destinations, "", "");

    assertThat(plan).satisfies(onlyOn("outbox_queue_aside_idx"));
    assertThat(blocks(plan)).as(plan).isLessThan(100);
  }

  @ParameterizedTest
  @MethodSource("situations")
  void whatIsSetAsideIsCountedAlongItsIndex(Statistics statistics, String planning)
      throws Exception {
    assertThat(plan(statistics, planning, aside.count, "", ""))
        .satisfies(usesOnly("outbox_queue_aside_idx"));
  }

  @Test
  void countingWhatIsSetAsideEndsAtTheLimit() {
    PostgresOptions options = PostgresOptions.defaults();
    try (PostgresCompetingStore store =
        PostgresCompetingStore.open(database(Statistics.FRESH).pool(), options)) {
      assertThat(store.blocked())
          .filteredOn(waiting -> waiting.destination().equals("d9"))
          .extracting(BlockedDestination::messages)
          .containsExactly((long) Backlog.COUNT_LIMIT);
    }
  }

  /** The blocks that a statement touched. */
  private static long blocks(String analyzed) {
    Matcher blocks = BLOCKS.matcher(analyzed);
    assertThat(blocks.find()).isTrue();
    long hit = Long.parseLong(blocks.group(2));
    assertThat(blocks.find()).isTrue();
    return hit + Long.parseLong(blocks.group(2));
  }

  /** The plan of a statement after its line of settings. */
  private String plan(
      Statistics statistics, String planning, String text, String types, String arguments)
      throws SQLException {
    return explain("", statistics, planning, text, types, arguments);
  }

  /** The same, with what it cost. */
  private String analyzed(
      Statistics statistics, String planning, String text, String types, String arguments)
      throws SQLException {
    return explain("ANALYZE, BUFFERS, ", statistics, planning, text, types, arguments);
  }

  private String explain(
      String how,
      Statistics statistics,
      String planning,
      String text,
      String types,
      String arguments)
      throws SQLException {
    return Plans.explain(how, database(statistics), planning, text, types, arguments);
  }

  private String ids(Statistics statistics) throws SQLException {
    List<String> ids =
        database(statistics).rows("SELECT outbox_id FROM outbox_queue ORDER BY 1 LIMIT 1000");
    return "ARRAY['" + String.join("','", ids) + "']";
  }

  private TestDatabase database(Statistics statistics) {
    return Objects.requireNonNull(databases.get(statistics));
  }
}
