package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.postroad.layout.Layout;
import io.postroad.layout.LayoutException;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.schema.SchemaException;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.Decision;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of one key one after the other, in a table that Postroad did not make. */
class AdoptedOrderTest {
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final ToldSender sender = new ToldSender();

  @SuppressWarnings("NullAway.Init")
  private TestDatabase database;

  @SuppressWarnings("NullAway.Init")
  private PostgresCompetingStore store;

  @BeforeEach
  void adopt() throws SQLException {
    database = TestDatabase.empty("adopt_order");
  }

  private void adopt(AdoptedTables table) throws SQLException {
    database.execute(table.ddl());
    store = open(table);
  }

  private PostgresCompetingStore open(AdoptedTables table) {
    return open(table, false);
  }

  private PostgresCompetingStore open(AdoptedTables table, boolean streams) {
    Layout layout = table.layout().withOrdered(true).withMinAge(Duration.ZERO);
    return PostgresCompetingStore.open(
        database.pool(),
        database
            .options()
            .withPrefix("postroad_")
            .withStreams(streams)
            .withSchemaMode(SchemaMode.MIGRATE),
        layout);
  }

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  private OutboxRelay relay() {
    return OutboxRelay.builder(store, sender)
        .options(RelayOptions.defaults().withMaxAttempts(2).withBreakAfter(0))
        .build();
  }

  private void append(String key, String... payloads) {
    List<Message> messages = new ArrayList<>();
    for (String payload : payloads) {
      messages.add(Message.event("T").to("d").key(key).json("\"" + key + payload + "\"").build());
    }
    store.transactions().run(unit -> store.append(unit, messages, LEASE));
  }

  private List<String> claim(int limit) {
    return store.claim(new ClaimRequest("node", limit, LEASE)).stream()
        .map(claim -> claim.message().payload().text().orElseThrow())
        .toList();
  }

  @ParameterizedTest
  @EnumSource(names = {"PAYMENT_OUTBOX", "ADVERT_MARKET"})
  void onlyTheFirstOfAKeyIsTaken(AdoptedTables table) throws SQLException {
    adopt(table);
    append("a", "1", "2", "3");
    append("b", "1", "2");

    assertThat(claim(10)).containsExactlyInAnyOrder("\"a1\"", "\"b1\"");
    assertThat(claim(10)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"PAYMENT_OUTBOX", "ADVERT_MARKET"})
  void allArriveInOrder(AdoptedTables table) throws SQLException {
    adopt(table);
    append("a", "1", "2", "3");
    append("b", "1", "2");

    relay().drain();

    assertThat(sender.payloads())
        .filteredOn(each -> each.startsWith("\"a"))
        .containsExactly("\"a1\"", "\"a2\"", "\"a3\"");
    assertThat(sender.payloads())
        .filteredOn(each -> each.startsWith("\"b"))
        .containsExactly("\"b1\"", "\"b2\"");
  }

  @ParameterizedTest
  @EnumSource(names = {"PAYMENT_OUTBOX", "ADVERT_MARKET"})
  void whoIsBehindAMessageThatACallerSettlesIsWokenInHisTransaction(AdoptedTables table)
      throws SQLException {
    adopt(table);
    append("a", "1", "2");
    Claim first = store.claim(new ClaimRequest("node", 10, LEASE)).get(0);
    assertThat(claim(10)).as("the second is put off").isEmpty();
    try (Connection connection = database.pool().getConnection()) {
      connection.setAutoCommit(false);
      assertThat(store.settle(connection, new Settlement.Delivered(first))).isTrue();
      assertThat(claim(10)).isEmpty();
      connection.rollback();
      assertThat(claim(10)).isEmpty();

      assertThat(store.settle(connection, new Settlement.Delivered(first))).isTrue();
      connection.commit();
    }
    assertThat(claim(10)).containsExactly("\"a2\"");
  }

  @Test
  void aDeadMessageThatACallerSettlesHoldsItsKeyBack() throws SQLException {
    adopt(AdoptedTables.ADVERT_MARKET);
    append("a", "1", "2");
    Claim first = store.claim(new ClaimRequest("node", 10, LEASE)).get(0);
    assertThat(claim(10)).isEmpty();

    store.transactions().run(unit -> store.settle(unit, new Settlement.Dead(first, "never")));

    database.advance(Duration.ofHours(3));
    assertThat(claim(10)).isEmpty();
  }

  private static final int KEYS = 40;

  /** The team's own inserts, {@code KEYS} transactions of two events each; in the order sent. */
  private void assertOrderOfTheTeamsInserts(String insert, int perKey) throws SQLException {
    for (int key = 0; key < KEYS; key++) {
      try (Connection connection = database.pool().getConnection();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        for (int i = 1; i <= perKey; i++) {
          statement.execute(insert.replace("{key}", "k" + key).replace("{n}", "" + i));
        }
        connection.commit();
      }
    }
    relay().drain();
    for (int key = 0; key < KEYS; key++) {
      String prefix = "\"k" + key + "-";
      assertThat(sender.payloads().stream().filter(each -> each.startsWith(prefix)).toList())
          .containsExactlyElementsOf(inOrder("k" + key, perKey));
    }
  }

  @Test
  void rowsThatTheTeamInsertsInOneTransactionKeepTheirOrderThoughTheirTimesAreEqual()
      throws SQLException {
    adopt(AdoptedTables.PAYMENT_OUTBOX);
    assertOrderOfTheTeamsInserts(
        """
        INSERT INTO outbox_event (
          id, aggregate_type, aggregate_id, event_type, topic, partition_key, payload)
        VALUES (gen_random_uuid(), 'P', 'p', 'T', 'd', '{key}', '"{key}-{n}"')
        """,
        3);
  }

  @Test
  void rowsOfATableWithoutATimeKeepTheOrderOfTheirInserts() throws SQLException {
    adopt(AdoptedTables.DEBEZIUM);
    assertOrderOfTheTeamsInserts(
        """
        INSERT INTO outboxevent (id, aggregatetype, aggregateid, type, payload)
        VALUES (gen_random_uuid(), 'P', '{key}', 'T', '"{key}-{n}"')
        """,
        3);
  }

  /** As a sequence with CACHE, or JPA's allocationSize: each session has a block of its own. */
  @Test
  void rowsWhoseIdsAreDrawnInBlocksKeepTheOrderOfTheirTransactions() throws SQLException {
    adopt(AdoptedTables.ADVERT_MARKET);
    try (Connection one = database.pool().getConnection();
        Connection two = database.pool().getConnection()) {
      insertDeal(two, 51, "\"a-1\"");
      insertDeal(one, 1, "\"a-2\"");
      insertDeal(two, 52, "\"a-3\"");
      insertDeal(one, 2, "\"a-4\"");
    }

    relay().drain();

    assertThat(sender.payloads()).containsExactlyElementsOf(inOrder("a", 4));
  }

  private static void insertDeal(Connection session, long id, String payload) throws SQLException {
    try (Statement statement = session.createStatement()) {
      statement.execute(
          "INSERT INTO outbox (id, idempotency_key, topic, partition_key, payload)"
              + " VALUES (%d, 'i%d', 'd', 'a', '%s')".formatted(id, id, payload));
    }
  }

  @Test
  void rowsThatWereThereBeforeGoFirstByTheirTimes() throws SQLException {
    database.execute(AdoptedTables.PAYMENT_OUTBOX.ddl());
    String insert =
        """
        INSERT INTO outbox_event (
          id, aggregate_type, aggregate_id, event_type, topic, partition_key, payload, created_at)
        VALUES (gen_random_uuid(), 'P', 'p', 'T', 'd', 'a', '"a-%d"', now() + INTERVAL '%d s')
        """;
    database.execute(insert.formatted(2, -10));
    database.execute(insert.formatted(1, -20));
    database.execute(insert.formatted(3, -5));
    store = open(AdoptedTables.PAYMENT_OUTBOX);
    database.execute(insert.formatted(4, -3600));
    database.execute(insert.formatted(5, -7200));

    relay().drain();

    assertThat(sender.payloads()).containsExactlyElementsOf(inOrder("a", 5));
  }

  @Test
  void noRowIsRewrittenToGiveItAPlace() throws SQLException {
    database.execute(AdoptedTables.DEBEZIUM.ddl());
    String file = "SELECT pg_relation_filenode('outboxevent')";
    String before = database.value(file);

    store = open(AdoptedTables.DEBEZIUM);

    assertThat(database.value(file)).isEqualTo(before);
  }

  /** As an application whose role owns nothing: an identity needs no right to its sequence. */
  @Test
  void aRoleThatMayOnlyInsertGoesOnInserting() throws SQLException {
    adopt(AdoptedTables.DEBEZIUM);
    String role = database.createRole("writer");
    database.execute(
        "GRANT USAGE ON SCHEMA public TO %s; GRANT INSERT ON outboxevent TO %s"
            .formatted(role, role));
    try (Connection connection = DriverManager.getConnection(database.url(role));
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO outboxevent (id, aggregatetype, aggregateid, type, payload)"
              + " VALUES (gen_random_uuid(), 'P', 'a', 'T', '\"a-1\"')");
    }

    relay().drain();

    assertThat(sender.payloads()).containsExactly("\"a-1\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"CACHE 50", "INCREMENT BY -1", "MAXVALUE 1000 CYCLE"})
  void refusesPlacesThatDoNotRise(String change) throws SQLException {
    adopt(AdoptedTables.DEBEZIUM);
    database.execute("ALTER SEQUENCE outboxevent_postroad_place_seq " + change);

    assertThatThrownBy(() -> open(AdoptedTables.DEBEZIUM))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("column postroad_place")
        .hasMessageContaining("ALTER SEQUENCE public.outboxevent_postroad_place_seq");
  }

  /** As a person who runs the printed statements one by one and stops between them. */
  @Test
  void aPlaceWithoutANumberOfItsOwnIsMissing() throws SQLException {
    adopt(AdoptedTables.DEBEZIUM);
    database.execute(
        "ALTER TABLE outboxevent ALTER COLUMN postroad_place DROP IDENTITY;"
            + " ALTER TABLE outboxevent ALTER COLUMN postroad_place SET DEFAULT 0");
    Layout layout = AdoptedTables.DEBEZIUM.layout().withOrdered(true);
    assertThatThrownBy(
            () ->
                PostgresCompetingStore.open(
                    database.pool(), database.options().withPrefix("postroad_"), layout))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("ADD GENERATED BY DEFAULT AS IDENTITY");

    open(AdoptedTables.DEBEZIUM).close();
  }

  /** As after a copy by logical replication, which leaves sequences behind. */
  @Test
  void refusesPlacesThatAreBehindUndeliveredRows() throws SQLException {
    adopt(AdoptedTables.DEBEZIUM);
    append("a", "1", "2", "3");
    database.execute("ALTER SEQUENCE outboxevent_postroad_place_seq RESTART WITH 1");
    String raise = "SELECT setval('public.outboxevent_postroad_place_seq', 3)";
    assertThatThrownBy(() -> open(AdoptedTables.DEBEZIUM))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining(raise);

    database.execute(raise);

    open(AdoptedTables.DEBEZIUM).close();
  }

  @Test
  void keysWhoseOldRowsHaveEqualTimesAreCountedInTheLog() throws SQLException {
    database.execute(AdoptedTables.PAYMENT_OUTBOX.ddl());
    database.execute(
        """
        INSERT INTO outbox_event (
          id, aggregate_type, aggregate_id, event_type, topic, partition_key, payload)
        SELECT gen_random_uuid(), 'P', 'p', 'T', 'd', 'k' || i % 3, '{}'
        FROM generate_series(1, 7) AS i
        """);
    try (LogLines lines = new LogLines()) {
      store = open(AdoptedTables.PAYMENT_OUTBOX);

      assertThat(lines.with("rows of one key with equal times"))
          .singleElement(STRING)
          .contains("keys=3");
    }
  }

  @Test
  void aClaimOfOneDestinationKeepsTheOrderToo() throws SQLException {
    database.execute(AdoptedTables.ADVERT_MARKET.ddl());
    store = open(AdoptedTables.ADVERT_MARKET, true);
    append("a", "1", "2");
    ClaimRequest ofStream = new ClaimRequest("node", 10, LEASE).of("d");

    List<Claim> first = store.claim(ofStream);
    assertThat(first).hasSize(1);
    assertThat(store.claim(ofStream)).isEmpty();
    store.transactions().run(unit -> store.settle(unit, new Settlement.Delivered(first.get(0))));
    assertThat(store.claim(ofStream)).hasSize(1);
  }

  @Test
  void aFailureHoldsBackItsKeyAndNoOther() throws SQLException {
    adopt(AdoptedTables.ADVERT_MARKET);
    append("a", "1", "2");
    List<Claim> first = store.claim(new ClaimRequest("node", 10, LEASE));
    store.settle(List.of(new Settlement.Retry(first.get(0), Duration.ofMinutes(10), "down")));
    append("b", "1");

    relay().drain();
    assertThat(sender.payloads()).containsExactly("\"b1\"");

    database.advance(Duration.ofMinutes(11));
    relay().drain();
    assertThat(sender.payloads()).containsExactly("\"b1\"", "\"a1\"", "\"a2\"");
  }

  @Test
  void aDeadMessageHoldsBackItsKeyUntilItIsDiscarded() throws SQLException {
    adopt(AdoptedTables.ADVERT_MARKET);
    append("a", "1", "2");
    Claim first = store.claim(new ClaimRequest("node", 10, LEASE)).get(0);
    store.settle(List.of(new Settlement.Dead(first, "never")));
    relay().drain();
    database.advance(Duration.ofHours(3));
    relay().drain();
    assertThat(sender.sent()).isEmpty();

    store.deadLetters().discard(Set.of(first.id()), new Decision("ops", "not needed"));
    relay().drain();

    assertThat(sender.payloads()).containsExactly("\"a2\"");
  }

  @Test
  void aReplayedMessageGoesBeforeThoseBehindIt() throws SQLException {
    adopt(AdoptedTables.PAYMENT_OUTBOX);
    append("a", "1", "2");
    Claim first = store.claim(new ClaimRequest("node", 10, LEASE)).get(0);
    store.settle(List.of(new Settlement.Dead(first, "never")));
    relay().drain();

    store.deadLetters().replay(Set.of(first.id()), new Decision("ops", "mended"));
    relay().drain();

    assertThat(sender.payloads()).containsExactly("\"a1\"", "\"a2\"");
  }

  @Test
  void whatSomebodyMarksByHandLetsTheNextThroughAfterAWhile() throws SQLException {
    adopt(AdoptedTables.ADVERT_MARKET);
    append("a", "1", "2");
    assertThat(claim(10)).containsExactly("\"a1\"");
    assertThat(claim(10)).isEmpty();
    database.execute("UPDATE outbox SET status = 'DELIVERED' WHERE payload = '\"a1\"'");

    database.advance(Duration.ofSeconds(31));

    assertThat(claim(10)).containsExactly("\"a2\"");
  }

  /** It cannot be put off then, because the row before it is locked. */
  @Test
  void aRowBehindOneThatIsJustSettledIsNotTaken() throws SQLException {
    adopt(AdoptedTables.ADVERT_MARKET);
    append("a", "1");
    assertThat(claim(10)).containsExactly("\"a1\"");
    append("a", "2");
    try (Connection settling = database.pool().getConnection();
        Statement statement = settling.createStatement()) {
      settling.setAutoCommit(false);
      statement.execute("UPDATE outbox SET status = 'DELIVERED' WHERE payload = '\"a1\"'");

      assertThat(claim(10)).isEmpty();

      settling.commit();
    }
    assertThat(claim(10)).containsExactly("\"a2\"");
  }

  @Test
  void rowsBehindADeadOneAreNotMetByEveryClaim() throws SQLException {
    adopt(AdoptedTables.ADVERT_MARKET);
    append("a", "1");
    Claim first = store.claim(new ClaimRequest("node", 10, LEASE)).get(0);
    store.settle(List.of(new Settlement.Dead(first, "never")));
    database.execute(
        """
        INSERT INTO outbox (idempotency_key, topic, partition_key, payload)
        SELECT 'x-' || i, 'd', 'a', '"follower"' FROM generate_series(1, 5000) AS i
        """);
    append("b", "1");

    assertThat(claim(10)).containsExactly("\"b1\"");

    assertThat(
            database.value(
                "SELECT count(*) FROM outbox WHERE partition_key = 'a' AND status = 'PENDING'"
                    + " AND COALESCE(postroad_due_at, created_at) <= public.test_now()"))
        .as("put off")
        .isEqualTo("0");
  }

  /** Two nodes, failures, unknown outcomes and claims that nobody settles. */
  @ParameterizedTest
  @EnumSource(names = {"PAYMENT_OUTBOX", "ADVERT_MARKET"})
  void firstOccurrencesAreInOrderWhateverHappens(AdoptedTables table) throws SQLException {
    adopt(table);
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<String, Integer> appended = new LinkedHashMap<>();
    try (PostgresCompetingStore other = open(table)) {
      List<PostgresCompetingStore> nodes = List.of(store, other);
      for (int step = 0; step < 150; step++) {
        String key = "k" + random.nextInt(4);
        append(key, "-" + appended.merge(key, 1, Integer::sum));
        PostgresCompetingStore node = nodes.get(random.nextInt(2));
        switch (random.nextInt(5)) {
          case 0 -> node.claim(new ClaimRequest("crashed", 1 + random.nextInt(5), LEASE));
          case 1 -> database.advance(Duration.ofSeconds(random.nextInt(90)));
          default -> send(node, random);
        }
      }
      sender.answer(new SendOutcome.Accepted(Map.of()));
      for (int i = 0; i < 50 && store.backlog().pending() > 0; i++) {
        OutboxRelay.builder(store, sender)
            .options(RelayOptions.defaults().withMaxAttempts(1_000).withBreakAfter(0))
            .build()
            .drain();
        database.advance(Duration.ofMinutes(2));
      }
    }
    appended.forEach(
        (key, count) ->
            assertThat(
                    sender.payloads().stream()
                        .filter(payload -> payload.startsWith("\"" + key + "-"))
                        .distinct()
                        .toList())
                .as("seed %d, key %s", seed, key)
                .containsExactlyElementsOf(inOrder(key, count)));
  }

  private void send(PostgresCompetingStore node, Random random) {
    sender.answer(
        switch (random.nextInt(4)) {
          case 0 -> SendOutcome.Rejected.forNow("not now");
          case 1 -> new SendOutcome.Unknown("lost");
          default -> new SendOutcome.Accepted(Map.of());
        });
    OutboxRelay.builder(node, sender)
        .options(RelayOptions.defaults().withMaxAttempts(1_000).withBreakAfter(0))
        .build()
        .runOnce();
  }

  private static List<String> inOrder(String key, int count) {
    List<String> payloads = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      payloads.add("\"" + key + "-" + i + "\"");
    }
    return payloads;
  }
}
