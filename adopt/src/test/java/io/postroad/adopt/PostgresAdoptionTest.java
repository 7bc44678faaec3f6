package io.postroad.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.layout.Fallback;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.PayloadForm;
import io.postroad.layout.Statuses;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresSchema;
import io.postroad.store.DeadLetterFilter;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Inspects tables, and does what the report says. */
class PostgresAdoptionTest {
  /** The table of docs/start/adopt.md. */
  private static final String PARCELS =
      """
      CREATE SCHEMA depot;
      CREATE TABLE depot.parcel_notice (
        notice_no   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_name  varchar(80) NOT NULL,
        parcel      varchar(20) NOT NULL DEFAULT '',
        channel     varchar(60) NOT NULL,
        body        jsonb NOT NULL,
        state       varchar(12) NOT NULL DEFAULT 'NEW',
        tries       integer NOT NULL DEFAULT 0,
        inserted_at timestamp NOT NULL DEFAULT now(),
        sent_at     timestamp,
        error_text  text
      );
      INSERT INTO depot.parcel_notice (event_name, parcel, channel, body, state, tries)
      VALUES
        ('ParcelArrived', 'P-1', 'parcels', '{"n": 1}', 'NEW', 0),
        ('ParcelArrived', 'P-2', 'parcels', '{"n": 2}', 'NEW', 2),
        ('ParcelArrived', 'P-3', 'parcels', '{"n": 3}', 'SENDING', 0),
        ('ParcelArrived', 'P-4', 'parcels', '{"n": 4}', 'SENT', 0),
        ('ParcelArrived', 'P-5', 'parcels', '{"n": 5}', 'FAILED', 8);
      """;

  private static final Layout PARCEL_LAYOUT =
      Layout.of(
              "parcel_notice",
              "depot.parcel_notice",
              Statuses.of("NEW", "SENT", "FAILED").withProcessing("SENDING"))
          .with(Field.ID, "notice_no")
          .with(Field.TYPE, "event_name")
          .with(Field.DESTINATION, "channel")
          .with(Field.PAYLOAD, "body")
          .with(Field.CREATED_AT, "inserted_at")
          .with(Field.STATUS, "state")
          .with(Field.ATTEMPTS, "tries")
          .with(Field.LAST_ERROR, "error_text")
          .with(Field.SETTLED_AT, "sent_at")
          .withPayload(PayloadForm.JSON);

  @SuppressWarnings("NullAway.Init")
  private TeamDatabase database;

  @BeforeEach
  void open() {
    database = TeamDatabase.create();
  }

  @ParameterizedTest
  @EnumSource(ShippedTables.class)
  void aTableOfAShippedLayoutIsRecognised(ShippedTables table) throws SQLException {
    database.execute(table.ddl());

    assertThat(inspect(table.layout().table()).problems()).isEmpty();
    assertThat(inspect(table.layout().table()).layout()).contains(table.layout());
  }

  @Test
  void anUnknownTableIsGuessed() throws SQLException {
    database.execute(PARCELS);

    Adoption adoption = inspect("depot.parcel_notice");

    assertThat(adoption.problems()).isEmpty();
    assertThat(adoption.layout()).contains(PARCEL_LAYOUT);
    assertThat(adoption.report())
        .contains(
            """
            Rows
              NEW 2 rows: will be delivered
              SENDING 1 row: taken over 5 minutes after it was first seen unless its owner finishes it
              SENT 1 row: not sent again; removed when older than RelayOptions.retention
              FAILED 1 row: listed as dead letters
            """);
  }

  @Test
  void theMigrationOfTheReportIsAllThatTheTableNeeds() throws SQLException {
    database.execute(PARCELS);
    PostgresOptions options = PostgresOptions.defaults().withPrefix("postroad_");
    new PostgresSchema(database.dataSource(), options).migrate();
    for (String statement : inspect("depot.parcel_notice").migration()) {
      database.execute(statement);
    }
    List<String> sent = new ArrayList<>();

    try (PostgresCompetingStore store =
        PostgresCompetingStore.open(database.dataSource(), options, PARCEL_LAYOUT)) {
      OutboxRelay relay =
          OutboxRelay.builder(store, new AcceptingSender(sent))
              .options(RelayOptions.defaults().withMaxAttempts(PARCEL_LAYOUT.executions()))
              .build();
      relay.drain();

      assertThat(store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10)).hasSize(1);
    }

    assertThat(sent).containsExactlyInAnyOrder("{\"n\": 1}", "{\"n\": 2}");
    assertThat(database.rows("SELECT parcel, state FROM depot.parcel_notice ORDER BY parcel"))
        .containsExactly("P-1|SENT", "P-2|SENT", "P-3|SENDING", "P-4|SENT", "P-5|FAILED");
  }

  @Test
  void whenNothingIsMissingTheReportSaysSoAndTheLayoutIsTheSame() throws SQLException {
    database.execute(PARCELS);
    for (String statement : inspect("depot.parcel_notice").migration()) {
      database.execute(statement);
    }

    Adoption again = inspect("depot.parcel_notice");

    assertThat(again.layout()).contains(PARCEL_LAYOUT);
    assertThat(again.migration()).isEmpty();
    assertThat(again.report()).doesNotContain("Missing, will be added", "Migration");
  }

  @Test
  void anEnumIsAStatusAndItsDefaultTheWordForPending() throws SQLException {
    database.execute(
        """
        CREATE TYPE mail_state AS ENUM ('fresh', 'sent', 'failed');
        CREATE TABLE mails (
          id uuid PRIMARY KEY,
          topic text NOT NULL,
          payload bytea NOT NULL,
          state mail_state NOT NULL DEFAULT 'fresh'
        );
        INSERT INTO mails VALUES (gen_random_uuid(), 'm', '', 'sent');
        """);

    assertThat(inspect("mails").layout())
        .contains(
            Layout.of("mails", "mails", Statuses.of("fresh", "sent", "failed"))
                .with(Field.ID, "id")
                .with(Field.DESTINATION, "topic")
                .with(Field.PAYLOAD, "payload")
                .with(Field.STATUS, "state")
                .with(Field.CONTENT_TYPE, Fallback.to("application/octet-stream"))
                .withPayload(PayloadForm.BYTES));
  }

  @Test
  void theWordsOfACheckCountThoughNoRowHasThem() throws SQLException {
    database.execute(
        """
        CREATE TABLE mails (
          id uuid PRIMARY KEY,
          topic text NOT NULL,
          payload text NOT NULL,
          status varchar(20) NOT NULL CHECK (status IN ('QUEUED', 'CLAIMED', 'DONE', 'POISON'))
        )
        """);

    assertThat(inspect("mails").layout().map(Layout::statuses))
        .contains(Statuses.of("QUEUED", "DONE", "POISON").withProcessing("CLAIMED"));
  }

  @Test
  void aLayoutThatAPersonChangedGetsItsOwnMigration() throws SQLException {
    database.execute(PARCELS);
    Layout changed = PARCEL_LAYOUT.with(Field.KEY, "parcel").withZone(ZoneId.of("Europe/Warsaw"));

    Adoption adoption = PostgresAdoption.inspect(database.dataSource(), changed);

    assertThat(adoption.layout()).contains(changed);
    assertThat(String.join("\n", adoption.migration()))
        .contains("AT TIME ZONE 'Europe/Warsaw'")
        .doesNotContain("postroad_key");
    assertThat(adoption.report()).startsWith("Table depot.parcel_notice: layout 'parcel_notice'");
    assertThat(
            PostgresAdoption.inspect(database.dataSource(), changed.with(Field.KEY, "nowhere"))
                .problems())
        .hasSize(1);
  }

  @Test
  void thePrimaryKeyComesBeforeAnyOtherUniqueColumn() throws SQLException {
    database.execute(
        """
        CREATE TABLE mails (
          a_number text UNIQUE,
          letter uuid PRIMARY KEY,
          topic text,
          payload text,
          status text
        )
        """);

    assertThat(inspect("mails").layout().flatMap(layout -> layout.column(Field.ID)))
        .contains("letter");
  }

  @Test
  void answersOfThePersonAreUsed() throws SQLException {
    database.execute("CREATE TABLE mails (id uuid PRIMARY KEY, payload text, status text)");

    assertThat(inspect("mails").isPossible()).isFalse();
    assertThat(
            PostgresAdoption.inspect(
                    database.dataSource(),
                    "mails",
                    Recogniser.ofTables().with(Field.DESTINATION, Fallback.to("mails")))
                .isPossible())
        .isTrue();
  }

  @Test
  void theProgramPrintsTheReportAndLeavesTheTableAsItIs() throws SQLException {
    database.execute(PARCELS);
    String content = "SELECT md5(string_agg(p::text, '')) FROM depot.parcel_notice p";
    List<String> before = database.rows(content);
    Output output = new Output();

    assertThat(output.run(database.url(), "depot.parcel_notice")).isZero();

    assertThat(output.out()).isEqualTo(inspect("depot.parcel_notice").report());
    assertThat(output.err()).isEmpty();
    assertThat(database.rows(content)).isEqualTo(before);
  }

  @Test
  void theProgramSaysWhyATableCannotBeUsed() throws SQLException {
    database.execute(
        "CREATE TABLE mails (id uuid PRIMARY KEY, topic text, payload text, sent boolean)");
    Output refused = new Output();
    Output missing = new Output();

    assertThat(refused.run(database.url(), "mails")).isEqualTo(1);
    assertThat(refused.out()).contains("- sent: tells only by yes or no what was delivered");
    assertThat(missing.run(database.url(), "nowhere")).isEqualTo(1);
    assertThat(missing.out()).contains("- nowhere: the table is not there or empty");
  }

  @Test
  void theProgramExplainsItself() {
    Output none = new Output();
    Output unreachable = new Output();

    assertThat(none.run("outbox")).isEqualTo(2);
    assertThat(none.err()).startsWith("usage: AdoptMain <JDBC URL> <table>");
    assertThat(unreachable.run("jdbc:postgresql://localhost:1/none?password=secret", "outbox"))
        .isEqualTo(2);
    assertThat(unreachable.err())
        .startsWith("could not inspect table outbox: ")
        .doesNotContain("secret");
  }

  private Adoption inspect(String table) {
    return PostgresAdoption.inspect(database.dataSource(), table);
  }

  /** Accepts every message and keeps its payload. */
  private record AcceptingSender(List<String> payloads) implements MessageSender {
    @Override
    public String name() {
      return "accepting";
    }

    @Override
    public Duration timeout() {
      return Duration.ofSeconds(5);
    }

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      List<CompletionStage<SendOutcome>> outcomes = new ArrayList<>();
      for (Message message : messages) {
        payloads.add(message.payload().text().orElse(""));
        outcomes.add(CompletableFuture.completedFuture(new SendOutcome.Accepted(Map.of())));
      }
      return outcomes;
    }

    @Override
    public void close() {}
  }

  private static final class Output {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    int run(String... arguments) {
      return AdoptMain.run(
          arguments,
          new PrintStream(out, true, StandardCharsets.UTF_8),
          new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    String out() {
      return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
      return err.toString(StandardCharsets.UTF_8);
    }
  }
}
