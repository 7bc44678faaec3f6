package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.LayoutException;
import io.postroad.layout.Layouts;
import io.postroad.layout.Statuses;
import io.postroad.message.Message;
import io.postroad.message.Payload;
import io.postroad.schema.SchemaException;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.ClaimRequest;
import io.postroad.store.AppendResult;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is added to a team's table, and what is refused. */
class AdoptedSchemaTest {
  private static final String DESCRIPTION =
      """
      SELECT column_name, data_type, is_nullable, column_default
      FROM information_schema.columns
      WHERE table_name = '%s' AND column_name NOT LIKE 'postroad%%'
      ORDER BY ordinal_position
      """;

  @SuppressWarnings("NullAway.Init")
  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.empty("adopt_schema");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private PostgresOptions options(SchemaMode mode) {
    return database.options().withPrefix("postroad_").withSchemaMode(mode);
  }

  private PostgresCompetingStore open(Layout layout, SchemaMode mode) {
    return PostgresCompetingStore.open(database.pool(), options(mode), layout);
  }

  @ParameterizedTest
  @EnumSource
  void nothingThatTheTableHasIsChanged(AdoptedTables table) throws SQLException {
    database.execute(table.ddl());
    String description = DESCRIPTION.formatted(table.layout().table());
    List<String> before = database.rows(description);

    open(table.layout(), SchemaMode.MIGRATE).close();

    assertThat(database.rows(description)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void verifyRefusesWithTheStatementsAndOpensAfterThem(AdoptedTables table) throws SQLException {
    database.execute(table.ddl());
    new PostgresSchema(database.pool(), options(SchemaMode.VERIFY)).migrate();
    SchemaException refused =
        catchThrowableOfType(SchemaException.class, () -> open(table.layout(), SchemaMode.VERIFY));
    String message = Objects.requireNonNull(refused.getMessage());
    String statements = message.substring(message.indexOf("ALTER TABLE"));
    for (String statement : statements.split(";\n")) {
      database.execute(statement);
    }

    open(table.layout(), SchemaMode.VERIFY).close();
  }

  @Test
  void severalNodesAdoptAtOnce() throws Exception {
    database.execute(AdoptedTables.PAYMENT_OUTBOX.ddl());
    ExecutorService nodes = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> opened = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        opened.add(nodes.submit(() -> open(Layouts.paymentOutbox(), SchemaMode.MIGRATE).close()));
      }
      for (Future<?> each : opened) {
        each.get();
      }
    } finally {
      nodes.shutdownNow();
    }
    open(Layouts.paymentOutbox(), SchemaMode.VERIFY).close();
  }

  @Test
  void anIndexThatACrashLeftUnfinishedIsMadeAgain() throws SQLException {
    database.execute(AdoptedTables.PAYMENT_OUTBOX.ddl());
    open(Layouts.paymentOutbox(), SchemaMode.MIGRATE).close();
    database.execute(
        "UPDATE pg_index SET indisvalid = false"
            + " WHERE indexrelid::regclass::text LIKE 'outbox_event_postroad_due_%'");
    assertThatThrownBy(() -> open(Layouts.paymentOutbox(), SchemaMode.VERIFY))
        .hasMessageContaining("outbox_event_postroad_due_");

    open(Layouts.paymentOutbox(), SchemaMode.MIGRATE).close();

    open(Layouts.paymentOutbox(), SchemaMode.VERIFY).close();
  }

  private void assertRefused(Layout layout, String... parts) throws SQLException {
    List<String> before = database.rows("SELECT relname FROM pg_class ORDER BY 1");
    assertThatThrownBy(() -> open(layout, SchemaMode.MIGRATE))
        .isInstanceOf(LayoutException.class)
        .hasMessageContainingAll(parts)
        .hasMessageContaining("nothing was changed");
    assertThat(database.rows("SELECT relname FROM pg_class ORDER BY 1")).isEqualTo(before);
  }

  private static Layout simple() {
    return Layout.of("simple", "events", Statuses.of("NEW", "SENT", "ERROR"))
        .with(Field.ID, "id")
        .with(Field.PAYLOAD, "body")
        .with(Field.STATUS, "state")
        .with(Field.DESTINATION, "topic");
  }

  private void createSimple(String columns) throws SQLException {
    database.execute("CREATE TABLE events (%s)".formatted(columns));
  }

  @Test
  void refusesAMissingTable() throws SQLException {
    assertRefused(simple(), "there is no table public.events");
  }

  @Test
  void refusesAMissingColumn() throws SQLException {
    createSimple("id uuid PRIMARY KEY, body text, state text");
    assertRefused(simple(), "column topic", "no such column");
  }

  @Test
  void refusesAWrongType() throws SQLException {
    createSimple("id uuid PRIMARY KEY, body integer, state text, topic bytea");
    assertRefused(simple(), "column body", "integer", "column topic", "bytea");
  }

  @Test
  void refusesAnIdWithoutAKey() throws SQLException {
    createSimple("id uuid, body text, state text, topic text");
    assertRefused(simple(), "column id", "no primary key or unique index");
  }

  @Test
  void refusesAnUnknownStatusInTheData() throws SQLException {
    createSimple("id uuid PRIMARY KEY, body text, state text, topic text");
    database.execute("INSERT INTO events VALUES (gen_random_uuid(), '{}', 'HALTED', 't')");
    assertRefused(simple(), "column state", "'HALTED'", "[NEW, SENT, ERROR]");
  }

  @Test
  void refusesAColumnThatNobodyFills() throws SQLException {
    createSimple("id uuid PRIMARY KEY, body text, state text, topic text, owner text NOT NULL");
    assertRefused(simple(), "column owner", "NOT NULL without a default");
  }

  @Test
  void refusesABooleanAsStatus() throws SQLException {
    createSimple("id uuid PRIMARY KEY, body text, state boolean, topic text");
    assertRefused(simple(), "column state", "boolean");
  }

  @Test
  void refusesAnEnumWithoutTheWord() throws SQLException {
    database.execute("CREATE TYPE state AS ENUM ('NEW', 'SENT')");
    createSimple("id uuid PRIMARY KEY, body text, state state, topic text");
    assertRefused(simple(), "column state", "'ERROR'", "ALTER TYPE");
  }

  @Test
  void refusesACheckThatDoesNotAllowAWord() throws SQLException {
    createSimple(
        "id uuid PRIMARY KEY, body text, topic text,"
            + " state text CHECK (state IN ('NEW', 'SENT'))");
    assertRefused(simple(), "column state", "'ERROR'", "check");
  }

  @Test
  void refusesASecondTableWithTheSamePrefix() throws SQLException {
    createSimple("id uuid PRIMARY KEY, body text, state text, topic text");
    database.execute("CREATE TABLE others (LIKE events INCLUDING ALL)");
    open(simple(), SchemaMode.MIGRATE).close();
    assertRefused(simple().withTable("others"), "prefix 'postroad_'", "public.events");
  }

  @Test
  void aWordThatComesLaterHoldsBackItsKeyAndIsNamed() throws SQLException {
    createSimple("id uuid PRIMARY KEY, body text, state text DEFAULT 'NEW', topic text, k text");
    try (PostgresCompetingStore store =
        open(simple().with(Field.KEY, "k").withOrdered(true), SchemaMode.MIGRATE)) {
      Message first = Message.event("T").to("t").key("k").json("1").build();
      Message second = Message.event("T").to("t").key("k").json("2").build();
      store
          .transactions()
          .run(unit -> store.append(unit, List.of(first, second), Duration.ofDays(1)));
      database.update("UPDATE events SET state = 'HALTED' WHERE id = ?", first.id());

      assertThat(store.claim(new ClaimRequest("me", 10, Duration.ofMinutes(1)))).isEmpty();
      assertThatThrownBy(() -> store.find(first.id())).hasMessageContaining("does not know");
    }
  }

  @Test
  void refusesATableWithTheNameOfOneOfOurs() throws SQLException {
    database.execute(AdoptedTables.MESSAGING_PLATFORM.ddl());
    assertThatThrownBy(
            () ->
                PostgresCompetingStore.open(
                    database.pool(),
                    options(SchemaMode.MIGRATE).withPrefix(""),
                    Layouts.messagingPlatform(3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("withPrefix");
  }

  @Test
  void toleratesOtherColumnsEnumsBytesAndQuotedNames() throws SQLException {
    database.execute(
        """
        CREATE TYPE state AS ENUM ('NEW', 'SENT', 'ERROR');
        CREATE TABLE "Order Events" (
          "eventId" integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          "Body" bytea NOT NULL,
          state state NOT NULL DEFAULT 'NEW',
          topic varchar(40) NOT NULL,
          note text DEFAULT 'kept' NOT NULL,
          "insertedAt" timestamp NOT NULL DEFAULT (now() AT TIME ZONE 'Europe/Warsaw'))
        """);
    Layout layout =
        Layout.of("quoted", "Order Events", Statuses.of("NEW", "SENT", "ERROR"))
            .with(Field.ID, "eventId")
            .with(Field.PAYLOAD, "Body")
            .with(Field.STATUS, "state")
            .with(Field.DESTINATION, "topic")
            .with(Field.CREATED_AT, "insertedAt")
            .withZone(ZoneId.of("Europe/Warsaw"));
    try (PostgresCompetingStore store = open(layout, SchemaMode.MIGRATE)) {
      Message text = Message.event("A").to("t").json("{\"a\":1}").build();
      Message bytes =
          Message.event("B").to("t").payload(Payload.bytes(new byte[] {1, 2}, "image/png")).build();
      store
          .transactions()
          .run(unit -> store.append(unit, List.of(text, bytes), Duration.ofDays(1)));

      assertThat(store.find(text.id()).orElseThrow().message()).isEqualTo(text);
      assertThat(store.find(bytes.id()).orElseThrow().message()).isEqualTo(bytes);
      assertThat(
              Duration.between(store.find(text.id()).orElseThrow().appendedAt(), store.now()).abs())
          .isLessThan(Duration.ofMinutes(10));
      assertThat(database.value("SELECT DISTINCT note FROM \"Order Events\"")).isEqualTo("kept");
    }
  }

  @Test
  void anAppendThatDoesNotFitIsRefusedAndTheTransactionGoesOn() throws SQLException {
    database.execute(AdoptedTables.PAYMENT_OUTBOX.ddl());
    try (PostgresCompetingStore store = open(Layouts.paymentOutbox(), SchemaMode.MIGRATE)) {
      Message tooLong =
          Message.event("T").to("x".repeat(101)).deduplicationKey("k").json("{}").build();
      Message fits = Message.event("T").to("t").deduplicationKey("k").json("{}").build();
      store
          .transactions()
          .run(
              unit -> {
                assertThatThrownBy(() -> store.append(unit, List.of(tooLong), Duration.ofDays(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("column topic")
                    .hasMessageContaining("101");
                assertThat(store.append(unit, List.of(fits), Duration.ofDays(1)))
                    .containsExactly(new AppendResult.Appended(fits.id()));
              });
      assertThat(database.value("SELECT count(*) FROM outbox_event")).isEqualTo("1");
    }
  }

  @Test
  void aKeyThatTheTableHoldsIsADuplicate() throws SQLException {
    database.execute(AdoptedTables.ADVERT_MARKET.ddl());
    database.execute(
        "INSERT INTO outbox (idempotency_key, topic, payload) VALUES ('taken', 'deals', '{}')");
    try (PostgresCompetingStore store = open(Layouts.advertMarket(), SchemaMode.MIGRATE)) {
      Message message = Message.event("T").to("deals").deduplicationKey("taken").json("{}").build();

      List<AppendResult> results =
          store
              .transactions()
              .call(unit -> store.append(unit, List.of(message), Duration.ofDays(1)));

      assertThat(results).singleElement().isInstanceOf(AppendResult.Duplicate.class);
      assertThat(database.value("SELECT count(*) FROM outbox")).isEqualTo("1");
    }
  }
}
