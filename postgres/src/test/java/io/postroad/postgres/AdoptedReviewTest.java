package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.layout.Fallback;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.LayoutException;
import io.postroad.layout.PayloadForm;
import io.postroad.layout.Statuses;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.DeadLetterFilter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows and tables that a team may well have and that nobody thought of. */
class AdoptedReviewTest {
  private static final Duration LEASE = Duration.ofMinutes(1);

  @SuppressWarnings("NullAway.Init")
  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.empty("adopt_review");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static Layout layout() {
    return Layout.of("odd", "events", Statuses.of("NEW", "SENT", "ERROR"))
        .with(Field.ID, "id")
        .with(Field.PAYLOAD, "body")
        .with(Field.STATUS, "state")
        .with(Field.DESTINATION, "topic");
  }

  private void table(String more) throws SQLException {
    database.execute(
        "CREATE TABLE events (id bigserial PRIMARY KEY, body text NOT NULL,"
            + " state text NOT NULL DEFAULT 'NEW', topic text DEFAULT 't'"
            + more
            + ")");
  }

  private PostgresCompetingStore open(Layout layout) {
    return PostgresCompetingStore.open(
        database.pool(),
        database.options().withPrefix("postroad_").withSchemaMode(SchemaMode.MIGRATE),
        layout);
  }

  private static List<Claim> claims(PostgresCompetingStore store) {
    return store.claim(new ClaimRequest("node", 10, LEASE));
  }

  private static List<String> claim(PostgresCompetingStore store) {
    return claims(store).stream()
        .map(claim -> claim.message().payload().text().orElseThrow())
        .toList();
  }

  @Test
  void aPayloadThatIsNoBase64HoldsUpNobody() throws SQLException {
    table("");
    database.execute("INSERT INTO events (body) VALUES ('not base64!'), ('YQ='), ('Y Q=='), ('')");
    try (PostgresCompetingStore store = open(layout().withPayload(PayloadForm.BASE64))) {
      assertThat(claim(store)).containsExactlyInAnyOrder("a", "");
      assertThat(store.backlog().dead()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NULL", "'infinity'", "'-infinity'"})
  void aRowWithoutATimeOfCreationIsDelivered(String created) throws SQLException {
    table(", made timestamptz");
    database.execute("INSERT INTO events (body, made) VALUES ('\"odd\"', %s)".formatted(created));
    try (PostgresCompetingStore store = open(layout().with(Field.CREATED_AT, "made"))) {
      assertThat(store.backlog().pending()).isEqualTo(1);
      assertThat(claim(store)).containsExactly("\"odd\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"+09:00", "UTC+9", "Asia/Tokyo", "Etc/GMT-9"})
  void anOffsetIsEastOfGreenwich(String zone) throws SQLException {
    table(", made timestamp");
    database.execute("INSERT INTO events (body, made) VALUES ('\"x\"', '2026-01-01 09:00:00')");
    Layout layout = layout().with(Field.CREATED_AT, "made").withZone(ZoneId.of(zone));
    try (PostgresCompetingStore store = open(layout)) {
      assertThat(claims(store).get(0).appendedAt()).isEqualTo("2026-01-01T00:00:00Z");
    }
  }

  @Test
  void anOffsetWithMinutesWestOfGreenwich() throws SQLException {
    table(", made timestamp");
    database.execute("INSERT INTO events (body, made) VALUES ('\"x\"', '2026-01-01 00:00:00')");
    Layout layout =
        layout().with(Field.CREATED_AT, "made").withZone(ZoneOffset.ofHoursMinutes(-3, -30));
    try (PostgresCompetingStore store = open(layout)) {
      assertThat(claims(store).get(0).appendedAt()).isEqualTo("2026-01-01T03:30:00Z");
    }
  }

  @Test
  void whatTheOldPollerDeliveredMeanwhileIsNotSentAgain() throws SQLException {
    table("");
    database.execute("INSERT INTO events (body) VALUES ('\"x\"')");
    try (PostgresCompetingStore store = open(layout())) {
      Claim claim = claims(store).get(0);
      database.execute("UPDATE events SET state = 'SENT'");

      assertThat(store.settle(List.of(new Settlement.Retry(claim, Duration.ZERO, "down"))))
          .containsExactly(claim.id());

      assertThat(database.value("SELECT state FROM events")).isEqualTo("SENT");
      assertThat(claim(store)).isEmpty();
    }
  }

  @Test
  void whatTheOldPollerGaveUpAndWeDeliveredIsDelivered() throws SQLException {
    table("");
    database.execute("INSERT INTO events (body) VALUES ('\"x\"')");
    try (PostgresCompetingStore store = open(layout())) {
      Claim claim = claims(store).get(0);
      database.execute("UPDATE events SET state = 'ERROR'");

      assertThat(store.settle(List.of(new Settlement.Delivered(claim)))).isEmpty();

      assertThat(database.value("SELECT state FROM events")).isEqualTo("SENT");
    }
  }

  @Test
  void aLargeVersionAndANegativeCounterHoldUpNobody() throws SQLException {
    table(", version bigint, tries integer");
    database.execute(
        "INSERT INTO events (body, version, tries) VALUES"
            + " ('\"large\"', 1763244000000, 0), ('\"negative\"', 1, -1)");
    Layout layout = layout().with(Field.SCHEMA_VERSION, "version").with(Field.ATTEMPTS, "tries");
    try (PostgresCompetingStore store = open(layout)) {
      List<Claim> claims = claims(store);
      assertThat(claims).extracting(Claim::attempt).containsExactly(1, 1);
    }
  }

  @Test
  void aDestinationMadeOfTheType() throws SQLException {
    table(", kind text");
    database.execute("INSERT INTO events (body, topic, kind) VALUES ('\"x\"', NULL, 'Paid')");
    Layout layout =
        layout()
            .with(Field.TYPE, "kind")
            .with(Field.DESTINATION, Fallback.to("events.", Field.TYPE));
    try (PostgresCompetingStore store = open(layout)) {
      assertThat(claims(store).get(0).message().destination()).isEqualTo("events.Paid");
    }
  }

  @Test
  void anEmptyTextIsNone() throws SQLException {
    table(", k text, kind text");
    database.execute("INSERT INTO events (body, k, kind) VALUES ('\"x\"', '', '')");
    Layout layout = layout().with(Field.TYPE, "kind").with(Field.KEY, "k");
    try (PostgresCompetingStore store = open(layout)) {
      assertThat(claims(store).get(0).message().key()).isEmpty();
    }
  }

  @Test
  void tablesWithLongNamesKeepTheirOwnIndexes() throws SQLException {
    String name = "a_table_with_a_name_that_is_nearly_as_long_as_it_may_be_";
    for (String end : List.of("1", "2")) {
      table("");
      database.execute("ALTER TABLE events RENAME TO " + name + end);
      PostgresCompetingStore.open(
              database.pool(),
              database.options().withPrefix("p" + end).withSchemaMode(SchemaMode.MIGRATE),
              layout().withTable(name + end))
          .close();
    }
    for (String end : List.of("1", "2")) {
      PostgresCompetingStore.open(
              database.pool(),
              database.options().withPrefix("p" + end),
              layout().withTable(name + end))
          .close();
    }
  }

  @Test
  void aChangedLayoutGetsItsOwnIndexes() throws SQLException {
    table("");
    open(layout()).close();
    Layout changed = layout().withStatuses(Statuses.of("NEW", "SENT", "DEAD"));
    assertThatThrownBy(
            () ->
                PostgresCompetingStore.open(
                    database.pool(), database.options().withPrefix("postroad_"), changed))
        .hasMessageContaining("_postroad_due_");
    open(changed).close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SETTLED_AT", "ASIDE_AT", "NOT_BEFORE"})
  void refusesAColumnThatMustBeEmptyAndMayNot(Field field) throws SQLException {
    table(", at timestamptz NOT NULL DEFAULT now()");
    assertThatThrownBy(() -> open(layout().with(field, "at")))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("column at");
  }

  @Test
  void refusesALeaseOfTheTeam() throws SQLException {
    table(", owner text NOT NULL DEFAULT ''");
    assertThatThrownBy(() -> open(layout().with(Field.LEASE_OWNER, "owner")))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("column owner");
  }

  @Test
  void refusesAnIdThatMayBeNull() throws SQLException {
    database.execute("CREATE TABLE events (id uuid UNIQUE, body text, state text, topic text)");
    assertThatThrownBy(() -> open(layout()))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("column id");
  }

  @Test
  void aStrangerWhoCameBackHasItsTimeAgain() throws SQLException {
    table("");
    database.execute("INSERT INTO events (body, state) VALUES ('\"x\"', 'BUSY')");
    Layout layout =
        layout().withStatuses(Statuses.of("NEW", "SENT", "ERROR").withProcessing("BUSY"));
    try (PostgresCompetingStore store = open(layout)) {
      assertThat(claim(store)).isEmpty();
      database.execute("UPDATE events SET state = 'NEW'");
      database.advance(Duration.ofMinutes(6));
      database.execute("UPDATE events SET state = 'BUSY'");

      assertThat(claim(store)).as("begun a moment ago").isEmpty();

      database.advance(Duration.ofMinutes(6));
      assertThat(claim(store)).containsExactly("\"x\"");
    }
  }

  @Test
  void aRowWithoutADestinationIsADeadLetterAndHoldsUpNobody() throws SQLException {
    table("");
    database.execute("INSERT INTO events (body, topic) VALUES ('\"a\"', NULL), ('\"b\"', 't')");
    database.execute("INSERT INTO events (body, topic, state) VALUES ('\"c\"', '', 'ERROR')");
    try (PostgresCompetingStore store = open(layout())) {
      assertThat(claims(store))
          .extracting(claim -> claim.message().payload().text())
          .containsExactly(Optional.of("\"b\""));

      assertThat(store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10))
          .hasSize(2)
          .allSatisfy(letter -> assertThat(letter.error()).contains("it has no type"));
    }
  }
}
