package io.postroad.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import io.postroad.servers.ServerOptions;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import io.postroad.spi.Settlement;
import io.postroad.store.Decision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Messages that are together larger than what one transaction may write: a server with a cache of
 * 256 MB, and 150 messages of 1 MB at once.
 */
@Timeout(300)
final class LargeMessagesTest {
  private static final int MESSAGES = 150;
  private static final Decision DECISION = new Decision("on-call", "topic was created");
  private static final String MEGABYTE = "\"" + "x".repeat((1 << 20) - 2) + "\"";

  private static MongoServer server;
  private static OrderedDatabase database;

  private MongoOrderedStore store;
  private LaneLease lease;
  private LanePosition position;

  @BeforeAll
  static void start() {
    server = MongoServer.started(ServerOptions.defaults());
    database = OrderedDatabase.at(server.connectionString(), server.freshDatabase("large"));
  }

  @BeforeEach
  void open() {
    database.reset(1);
    store = database.open();
    lease = store.lanes().take(0, "node", Duration.ofHours(1)).orElseThrow();
    position = lease.position();
  }

  @AfterEach
  void close() {
    store.close();
  }

  @AfterAll
  static void stop() {
    database.close();
    server.close();
  }

  @Test
  void anErrorNamesWhatTheServerSaid() {
    try (ClientSession session = database.begin()) {
      assertThatThrownBy(
              () -> store.append(session, messages(2 * MESSAGES, false), OrderedDatabase.DAY))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("transaction is too large")
          .hasMessageNotContaining("code -3");
    }
  }

  @Test
  void scheduledMessagesThatAreDueAtOnceAreAdmitted() {
    append(true);
    database.advance(Duration.ofHours(2));

    int admitted = 0;
    int more;
    do {
      more = store.log().admitDue(lease, 1_000);
      admitted += more;
    } while (more > 0);

    assertThat(admitted).isEqualTo(MESSAGES);
    assertThat(readAll()).hasSize(MESSAGES);
  }

  @Test
  void messagesAreHeldBackTakenAndDecidedAbout() {
    append(false);
    List<Settlement> retries = new ArrayList<>();
    readAll().forEach(claim -> retries.add(new Settlement.Retry(claim, Duration.ZERO, "down")));

    store.log().advance(lease, position, retries);

    assertThat(readAll()).as("the lane goes on behind them").isEmpty();
    Set<UUID> dead = new HashSet<>();
    List<Claim> taken = store.blockedMessages().take(lease, 1_000);
    while (!taken.isEmpty()) {
      taken.forEach(claim -> dead.add(claim.id()));
      store
          .blockedMessages()
          .settle(
              lease,
              taken.stream()
                  .<Settlement>map(claim -> new Settlement.Dead(claim, "no", true))
                  .toList());
      taken = store.blockedMessages().take(lease, 1_000);
    }
    assertThat(dead).hasSize(MESSAGES);
    assertThat(store.deadLetters().replay(dead, DECISION)).isEqualTo(dead);
    assertThat(store.blockedMessages().take(lease, 1_000)).isNotEmpty();
  }

  @Test
  void deadLettersAreDiscarded() {
    append(false);
    List<Settlement> deaths = new ArrayList<>();
    Set<UUID> dead = new HashSet<>();
    for (Claim claim : readAll()) {
      deaths.add(new Settlement.Dead(claim, "no", true));
      dead.add(claim.id());
    }
    store.log().advance(lease, position, deaths);

    assertThat(store.blockedKeys().skip(dead, DECISION)).isEqualTo(dead);
    assertThat(store.deadLetters().discard(dead, DECISION)).isEqualTo(dead);
    assertThat(store.backlog().dead()).isZero();
  }

  /** Moved back, so that each is inserted again. */
  @Test
  void deadLettersOfTheQueueAreReplayedAndDiscarded() {
    MongoOptions options =
        MongoOptions.defaults()
            .withDatabase(server.freshDatabase("queue"))
            .withSchemaMode(SchemaMode.MIGRATE)
            .withDeadLetters(MongoOptions.DeadLetters.MOVE);
    try (MongoCompetingStore queue = MongoCompetingStore.open(database.client(), options)) {
      Set<UUID> dead = new HashSet<>();
      for (Message message : messages(MESSAGES, false)) {
        queue
            .transactions()
            .run(session -> queue.append(session, List.of(message), OrderedDatabase.DAY));
        List<Claim> claims = queue.claim(new ClaimRequest("node", 1, Duration.ofHours(1)));
        claims.forEach(claim -> dead.add(claim.id()));
        queue.settle(
            claims.stream()
                .<Settlement>map(claim -> new Settlement.Dead(claim, "no", false))
                .toList());
      }

      assertThat(queue.deadLetters().replay(dead, DECISION)).isEqualTo(dead);
      assertThat(queue.backlog().pending()).isEqualTo(MESSAGES);
    } finally {
      database.client().getDatabase(options.database()).drop();
    }
  }

  private List<Claim> readAll() {
    List<Claim> claims = new ArrayList<>();
    LaneBatch batch;
    do {
      batch = store.log().read(lease, position, 8);
      position = batch.end();
      batch.entries().stream().map(LaneEntry::claim).forEach(claims::add);
    } while (batch.full());
    return claims;
  }

  private void append(boolean scheduled) {
    for (Message message : messages(MESSAGES, scheduled)) {
      database.append(store, message);
    }
  }

  private List<Message> messages(int count, boolean scheduled) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Message.Builder message =
          Message.event("OrderPlaced").to("orders").key("k" + i).json(MEGABYTE);
      if (scheduled) {
        message.notBefore(store.now().plus(Duration.ofHours(1)));
      }
      messages.add(message.build());
    }
    return messages;
  }
}
