package io.postroad.postgres.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.TestDatabase;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What is PostgreSQL's own about the dead letters of the competing store. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class QueueDeadLettersTest {
  private static final Decision DECISION = new Decision("test", "to see what happens");
  private static final ClaimRequest TEN = new ClaimRequest("node", 10, Duration.ofMinutes(1));

  private TestDatabase database;
  private PostgresCompetingStore store;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("queue_dead");
    database.execute(
        """
        CREATE TABLE witness (sync text);
        CREATE FUNCTION witness() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO witness VALUES (current_setting('synchronous_commit'));
          RETURN NULL;
        END $$;
        CREATE TRIGGER witness AFTER INSERT ON outbox_audit
          FOR EACH STATEMENT EXECUTE FUNCTION witness();
        """);
  }

  @BeforeEach
  void open() throws SQLException {
    database.reset();
    database.execute("TRUNCATE witness");
    store = database.open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void aRowThatIsNoMessageIsShownMendedAndReplayed() throws Exception {
    Message message = kill("broken");
    database.update("UPDATE outbox_queue SET headers = 'nonsense'");

    DeadLetter letter = store.deadLetters().find(message.id()).orElseThrow();
    assertThat(letter.message().type()).isEqualTo("postroad.unreadable");
    assertThat(letter.message().destination()).isEqualTo("d");
    assertThat(letter.message().key()).contains("k");
    assertThat(letter.error()).startsWith("the row cannot be read as a message: ");
    assertThat(list()).containsExactly(letter);
    database.update("UPDATE outbox_queue SET headers = ''");
    assertThat(store.deadLetters().replay(List.of(message.id()), DECISION)).hasSize(1);

    assertThat(store.claim(TEN)).extracting(Claim::message).containsExactly(message);
  }

  @Test
  void aRowWithoutAUsableDestinationIsShownAndDiscarded() throws Exception {
    Message message = kill("broken");
    database.update("UPDATE outbox_queue SET destination = ''");

    assertThat(list())
        .singleElement()
        .satisfies(
            letter -> assertThat(letter.message().destination()).isEqualTo("unknown"),
            letter -> assertThat(letter.id()).isEqualTo(message.id()));
    assertThat(store.deadLetters().discard(List.of(message.id()), DECISION)).hasSize(1);

    assertThat(database.value("SELECT count(*) FROM outbox_queue")).isEqualTo("0");
  }

  @Test
  void aDeadLetterThatSomebodyMadeByHandIsListed() throws Exception {
    append(message());
    database.update("UPDATE outbox_queue SET status = 'FAILED'");

    assertThat(list())
        .singleElement()
        .satisfies(
            letter -> assertThat(letter.diedAt()).isEqualTo(letter.appendedAt()),
            letter -> assertThat(letter.error()).isEmpty());
  }

  @Test
  void aReplacementMayNotHaveTheIdOfAnotherMessage() throws Exception {
    Message dead = kill("broken");
    Message other = message();
    append(other);

    assertThatThrownBy(() -> store.deadLetters().replace(dead.id(), other, DECISION))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining(other.id() + " cannot replace dead letter " + dead.id());
    assertThat(list()).extracting(DeadLetter::id).containsExactly(dead.id());
    assertThat(store.deadLetters().audit(Optional.empty(), 10)).isEmpty();
  }

  @Test
  void decisionsWaitForTheDiskEvenWhereOthersDoNot() throws Exception {
    Message one = kill("broken");
    Message two = kill("broken");
    database.execute(
        "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || quote_ident(current_database())"
            + " || ' SET synchronous_commit = off'; END $$");
    database.pool().getHikariPoolMXBean().softEvictConnections();

    store.deadLetters().replay(List.of(one.id()), DECISION);
    store.deadLetters().discard(List.of(two.id()), DECISION);

    assertThat(database.rows("SELECT * FROM witness")).containsExactly("on", "on");
  }

  @Test
  void oddCharactersAndTimesDoNoHarm() throws Exception {
    Message dead = kill("NUL \0 and half a pair \ud83d");
    DeadLetterFilter all = DeadLetterFilter.all();

    assertThat(list(all.withErrorContaining("NUL \0 and"))).hasSize(1);
    assertThat(list(all.withDestination("\0"))).isEmpty();
    assertThat(list(all.withDiedFrom(Instant.MIN).withDiedBefore(Instant.MAX))).hasSize(1);
    Instant died = list().get(0).diedAt();
    assertThat(list(all.withDiedFrom(died.plusNanos(1)))).isEmpty();
    assertThat(list(all.withDiedBefore(died.plusNanos(1)))).hasSize(1);
    store.deadLetters().discard(List.of(dead.id()), new Decision("a\0b", "c\0d"));

    assertThat(store.deadLetters().audit(Optional.of("\0"), 10)).isEmpty();
    assertThat(store.deadLetters().audit(Optional.empty(), 10))
        .singleElement()
        .satisfies(entry -> assertThat(entry.by()).isEqualTo("a b"));
    assertThat(store.deadLetters().purgeAudit(Instant.MIN, 10)).isZero();
    assertThat(store.deadLetters().purgeAudit(Instant.MAX, 10)).isEqualTo(1);
  }

  private List<DeadLetter> list() {
    return list(DeadLetterFilter.all());
  }

  private List<DeadLetter> list(DeadLetterFilter filter) {
    return store.deadLetters().list(filter, Optional.empty(), 100);
  }

  private Message kill(String error) {
    Message message = message();
    append(message);
    store.settle(List.of(new Settlement.Dead(store.claim(TEN).get(0), error)));
    return message;
  }

  private static Message message() {
    return Message.event("T").to("d").key("k").json("{}").build();
  }

  private void append(Message... messages) {
    List<Message> all = Stream.of(messages).toList();
    store.transactions().run(c -> store.append(c, all, Duration.ofDays(1)));
  }
}
