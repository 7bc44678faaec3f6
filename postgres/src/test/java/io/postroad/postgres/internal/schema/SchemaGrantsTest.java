package io.postroad.postgres.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.postgres.PostgresCommandStore;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresInboxStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.PostgresSchema;
import io.postroad.postgres.TestDatabase;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.InboxEntry;
import io.postroad.spi.InboxStore.Entered;
import io.postroad.spi.OutboxStore;
import io.postroad.store.AppendResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What roles may do after the printed grants; that a service can do everything is the TCK's. */
@Timeout(120)
class SchemaGrantsTest {
  /** Without the sequences of identity columns, which need no rights of their own. */
  private static final String KINDS =
      """
      SELECT relname
      FROM pg_class AS c
      WHERE relnamespace = 'public'::regnamespace AND relkind = ?::"char"
        AND relname NOT IN ('test_clock', 'postroad_schema_history')
        AND NOT EXISTS (
          SELECT 1
          FROM pg_depend
          WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'i')
      """;

  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.empty("grants");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void everyTableViewAndSequenceIsKnownForWhatItIs() throws Exception {
    schema().migrate();

    assertThat(SchemaGrants.VIEWS).containsExactlyInAnyOrderElementsOf(database.rows(KINDS, "v"));
    assertThat(database.rows(KINDS, "S")).containsExactly(SchemaGrants.SEQUENCE);
    List<String> dml =
        Stream.of(schema().grants("r").split("\n"))
            .filter(line -> line.startsWith("GRANT SELECT, INSERT, UPDATE, DELETE ON TABLE"))
            .map(line -> line.replaceAll(".*\"public\"\\.\"(\\w+)\".*", "$1"))
            .toList();
    assertThat(dml).containsExactlyInAnyOrderElementsOf(database.rows(KINDS, "r"));
  }

  @Test
  void aServiceInASchemaOfItsOwnOpensEveryStoreButCannotChangeTheTables() throws Exception {
    PostgresOptions options =
        PostgresOptions.defaults().withSchema("mail").withPrefix("eu_").withLanes(2);
    PostgresSchema schema = new PostgresSchema(database.pool(), options);
    String role = database.createRole("svc");
    database.execute(schema.script());
    database.execute(schema.grants(role));
    DataSource service = dataSource(role);

    for (SchemaMode mode : SchemaMode.values()) {
      PostgresOptions opened = options.withSchemaMode(mode);
      PostgresCompetingStore.open(service, opened).close();
      PostgresOrderedStore.open(service, opened).close();
      PostgresInboxStore.open(service, opened).close();
      PostgresCommandStore.open(service, opened).close();
    }

    for (String change :
        List.of(
            "CREATE TABLE mail.mine (n int)",
            "CREATE TABLE public.mine (n int)",
            "DROP TABLE mail.eu_outbox_queue",
            "DROP VIEW mail.eu_outbox",
            "ALTER TABLE mail.eu_outbox_log_0 ADD COLUMN mine int",
            "DROP INDEX mail.eu_outbox_queue_due_idx",
            "TRUNCATE mail.eu_outbox_queue",
            "DELETE FROM mail.eu_postroad_schema_history",
            "SET ROLE " + database.value("SELECT current_user"))) {
      assertThatThrownBy(() -> execute(service, change))
          .as(change)
          .isInstanceOf(SQLException.class)
          .extracting("SQLState")
          .isEqualTo("42501");
    }
  }

  @Test
  void grantsMayRunAgain() throws Exception {
    schema().migrate();
    String role = database.createRole("svc");
    database.execute(schema().grants(role));

    database.execute(schema().grants(role));

    PostgresCompetingStore.open(dataSource(role), PostgresOptions.defaults()).close();
  }

  @Test
  void aWriterOfTheCompetingOutboxAppendsInEveryWayButCannotClaim() throws Exception {
    try (PostgresCompetingStore store =
        PostgresCompetingStore.open(writer(), PostgresOptions.defaults())) {
      appendInEveryWay(store);

      assertThatThrownBy(() -> store.claim(new ClaimRequest("n", 10, Duration.ofMinutes(1))))
          .hasMessageContaining("the role lacks a right");
    }
  }

  @Test
  void aWriterOfTheOrderedOutboxAppendsInEveryWayButCannotTakeALane() throws Exception {
    DataSource writer = writer();
    try (PostgresOrderedStore store =
        PostgresOrderedStore.open(writer, PostgresOptions.defaults())) {
      appendInEveryWay(store);

      assertThatThrownBy(() -> store.lanes().take(0, "n", Duration.ofMinutes(1)))
          .hasMessageContaining("the role lacks a right");
      assertThatThrownBy(() -> execute(writer, "SELECT payload FROM outbox_log_0"))
          .hasMessageContaining("permission denied");
    }
  }

  @Test
  void aReceiverDoesAllThatTheInboxCanAndSeesNothingOfTheOutbox() throws Exception {
    schema().migrate();
    String role = database.createRole("receiver");
    database.execute(schema().inboxGrants(role));
    DataSource receiver = dataSource(role);
    InboxEntry entry = new InboxEntry("m", "h", Optional.of("k"));
    UUID retryId = UUID.randomUUID();
    try (PostgresInboxStore inbox = PostgresInboxStore.open(receiver, PostgresOptions.defaults())) {
      inbox
          .transactions()
          .run(
              unit -> {
                assertThat(inbox.enter(unit, entry)).isEqualTo(Entered.NEW);
                inbox.waits(unit, entry, retryId);
              });
      assertThat(inbox.look(entry)).isEqualTo(Entered.DUPLICATE);
      assertThat(inbox.waiting(Duration.ofMinutes(-1), Optional.empty(), 10)).hasSize(1);
      inbox.transactions().run(unit -> inbox.left(unit, retryId));
      assertThat(inbox.waiting(Duration.ofMinutes(-1), Optional.empty(), 10)).isEmpty();
      assertThat(inbox.purge(Duration.ZERO, 10)).isEqualTo(1);
    }
    assertThatThrownBy(() -> execute(receiver, "SELECT payload FROM outbox_queue"))
        .hasMessageContaining("permission denied");
  }

  @ParameterizedTest
  @ValueSource(strings = {"orders-service", "Orders", "a role; DROP TABLE outbox_queue", "käse"})
  void rolesAreQuoted(String role) throws Exception {
    schema().migrate();
    database.execute("DROP ROLE IF EXISTS \"%1$s\"; CREATE ROLE \"%1$s\"".formatted(role));

    database.execute(schema().grants(role));

    assertThat(
            database.value("SELECT has_table_privilege(?, 'outbox_queue', 'INSERT')::text", role))
        .isEqualTo("true");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a\"b",
        "a\nb",
        "a123456789b123456789c123456789d123456789e123456789f123456789ghij"
      })
  void whatIsNoRoleIsRefused(String role) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schema().grants(role))
        .withMessageContaining("a role must be named with 1 to 63 bytes");
    assertThatIllegalArgumentException().isThrownBy(() -> schema().appendGrants(role));
  }

  private static void appendInEveryWay(OutboxStore<Connection> store) throws Exception {
    Message first = message().deduplicationKey("k").build();
    append(store, first);
    append(store, message().build(), message().build());
    Message later = message().notBefore(Instant.now().plusSeconds(3600)).build();
    append(store, message().build(), later);
    assertThat(append(store, message().deduplicationKey("k").build()))
        .containsExactly(new AppendResult.Duplicate(first.id()));
    assertThatThrownBy(() -> append(store, message().deduplicationKey("l").build(), later, later))
        .as("an id that is stored already")
        .hasMessageContaining(later.id().toString());
  }

  private static Message.Builder message() {
    return Message.event("T").to("d").key("a").json("{}");
  }

  private static List<AppendResult> append(OutboxStore<Connection> store, Message... messages)
      throws Exception {
    return store
        .transactions()
        .call(connection -> store.append(connection, List.of(messages), Duration.ofDays(1)));
  }

  private DataSource writer() throws SQLException {
    schema().migrate();
    String role = database.createRole("writer");
    database.execute(schema().appendGrants(role));
    return dataSource(role);
  }

  private DataSource dataSource(String role) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(database.url(role));
    return dataSource;
  }

  private static void execute(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private PostgresSchema schema() {
    return new PostgresSchema(database.pool(), PostgresOptions.defaults());
  }
}
