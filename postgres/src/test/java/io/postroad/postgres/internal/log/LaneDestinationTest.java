package io.postroad.postgres.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.TestDatabase;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import io.postroad.spi.Settlement;
import io.postroad.store.BlockedDestination;
import io.postroad.store.Decision;
import io.postroad.store.OrderKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is PostgreSQL's own about keys of the log that are set aside. */
@Timeout(120)
class LaneDestinationTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private TestDatabase database;
  private PostgresOrderedStore store;
  private LaneLease lease;
  private LanePosition position;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.migrated("log_aside");
    database.setLanes(1);
    store = database.openOrdered(1);
    lease = store.lanes().take(0, "n", HOUR).orElseThrow();
    position = lease.position();
  }

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  /** Its transaction drew its place first and committed last. */
  @Test
  void aKeyIsParkedByADeadMessageThatComesBeforeTheOneSetAside() throws Exception {
    Message first = message("d", "k");
    Message second = message("d", "k");
    try (Connection late = database.pool().getConnection()) {
      late.setAutoCommit(false);
      store.append(late, List.of(first), HOUR);
      append(second);
      setAside(read());
      late.commit();
    }
    List<Claim> claims = read();
    assertThat(claims).extracting(Claim::message).containsExactly(first);

    store.log().advance(lease, position, List.of(new Settlement.Dead(claims.get(0), "never")));

    assertThat(store.blockedMessages().destinations(lease)).isEmpty();
    assertThat(store.blockedMessages().open(lease, "d", 10)).isEmpty();
    assertThat(store.blockedMessages().keys(lease)).containsExactly(OrderKey.of(first));
    assertThat(store.blockedKeys().summary().keys()).isEqualTo(1);
    store.blockedKeys().release(OrderKey.of(first), new Decision("test", "to see what happens"));
    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(Claim::message)
        .containsExactly(first, second);
  }

  /** As after a restore: what is held already stays as it is. */
  @Test
  void whatIsReadAgainAndSetAsideAgainWaitsOnceAndAsLongAsBefore() throws Exception {
    append(message("d", "k"), message("d", "k"));
    List<Claim> claims = read();
    setAside(claims);
    database.advance(HOUR);

    setAside(claims);

    assertThat(store.blocked())
        .singleElement()
        .satisfies(waiting -> assertThat(waiting.oldest()).isGreaterThanOrEqualTo(HOUR))
        .extracting(BlockedDestination::messages)
        .isEqualTo(2L);
  }

  @Test
  void destinationsAreInTheOrderOfTheirNamesWhateverTheDatabaseSortsBy() throws Exception {
    Stream<String> names = Stream.of("b", "Z", "a.b", "aB", "a-1", "ab");
    append(names.map(name -> message(name, "k")).toArray(Message[]::new));
    setAside(read());

    assertThat(store.blocked())
        .extracting(BlockedDestination::destination)
        .containsExactly("Z", "a-1", "a.b", "aB", "ab", "b");
    assertThat(store.blockedMessages().destinations(lease)).hasSize(6);
  }

  private static Message message(String destination, String key) {
    return Message.event("T").to(destination).key(key).json("{}").build();
  }

  private void append(Message... messages) throws Exception {
    store.transactions().call(tx -> store.append(tx, List.of(messages), HOUR));
  }

  private List<Claim> read() {
    LaneBatch batch = store.log().read(lease, position, 100);
    position = batch.end();
    return batch.entries().stream().map(LaneEntry::claim).toList();
  }

  private void setAside(List<Claim> claims) {
    store
        .log()
        .advance(
            lease,
            position,
            claims.stream()
                .<Settlement>map(claim -> new Settlement.Blocked(claim, "down"))
                .toList());
  }
}
