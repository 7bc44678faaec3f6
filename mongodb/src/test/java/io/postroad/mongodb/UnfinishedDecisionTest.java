package io.postroad.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import io.postroad.servers.ServerOptions;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.AuditEntry;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import io.postroad.store.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Without transactions a decision that ends after any of its writes is completed by the same call.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class UnfinishedDecisionTest {
  private static final Decision DECISION = new Decision("on-call", "topic was created");

  private final CommandHook hook = new CommandHook();
  private final Message dead = Message.event("Changed").to("pages").key("k").json("{}").build();
  private final Message edited = Message.event("Mended").to("pages").key("k").json("{}").build();
  private MongoServer server;
  private MongoClient client;

  @BeforeAll
  void start() {
    server = MongoServer.standalone(ServerOptions.defaults());
    server.start();
    client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.connectionString()))
                .addCommandListener(hook)
                .build());
  }

  @AfterAll
  void stop() {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "KEEP, insert, outbox_audit",
    "KEEP, update, outbox",
    "MOVE, insert, outbox_audit",
    "MOVE, insert, outbox"
  })
  void aReplay(MongoOptions.DeadLetters mode, String command, String collection) {
    try (MongoCompetingStore store = open(mode)) {
      kill(store);
      endAfter(command, collection, () -> store.deadLetters().replay(List.of(dead.id()), DECISION));

      store.deadLetters().replay(List.of(dead.id()), DECISION);

      assertThat(claim(store)).extracting(Claim::message).containsExactly(dead);
      assertNoDeadLetter(store);
      assertThat(actions(store)).contains("replay").containsOnly("replay");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "KEEP, insert, outbox_audit",
    "KEEP, insert, outbox",
    "KEEP, delete, outbox_dead",
    "MOVE, insert, outbox_audit",
    "MOVE, insert, outbox"
  })
  void aReplacement(MongoOptions.DeadLetters mode, String command, String collection) {
    try (MongoCompetingStore store = open(mode)) {
      kill(store);
      endAfter(command, collection, () -> store.deadLetters().replace(dead.id(), edited, DECISION));

      assertThat(store.deadLetters().replace(dead.id(), edited, DECISION)).isTrue();

      assertThat(claim(store)).extracting(Claim::message).containsExactly(edited);
      assertThat(store.find(dead.id())).isEmpty();
      assertNoDeadLetter(store);
      assertThat(actions(store)).containsExactly("replace", "replace");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "KEEP, insert, outbox_audit",
    "KEEP, delete, outbox_dead",
    "MOVE, insert, outbox_audit",
  })
  void aDiscard(MongoOptions.DeadLetters mode, String command, String collection) {
    try (MongoCompetingStore store = open(mode)) {
      kill(store);
      endAfter(
          command, collection, () -> store.deadLetters().discard(List.of(dead.id()), DECISION));

      assertThat(store.deadLetters().discard(List.of(dead.id()), DECISION))
          .containsExactly(dead.id());

      assertThat(store.find(dead.id())).isEmpty();
      assertNoDeadLetter(store);
    }
  }

  /** Who and why stands in the pause itself, and is written down when it ends. */
  @Test
  void aPause() {
    try (MongoCompetingStore store = open(MongoOptions.DeadLetters.KEEP)) {
      endAfter("update", "outbox_pause", () -> store.pauses().pause("pages", DECISION));

      assertThat(store.pauses().pause("pages", DECISION)).isFalse();

      assertThat(store.pauses().list()).extracting(Pause::by).containsExactly(DECISION.by());
      assertThat(store.pauses().resume("pages", DECISION)).isTrue();
      assertThat(store.deadLetters().audit(Optional.of("pages"), 10))
          .extracting(AuditEntry::detail)
          .singleElement()
          .asString()
          .contains("by=" + DECISION.by(), "reason=" + DECISION.reason());
    }
  }

  @Test
  void theEndOfAPause() {
    try (MongoCompetingStore store = open(MongoOptions.DeadLetters.KEEP)) {
      store.pauses().pause("pages", DECISION);
      endAfter("insert", "outbox_audit", () -> store.pauses().resume("pages", DECISION));

      assertThat(store.pauses().resume("pages", DECISION)).isTrue();

      assertThat(store.pauses().list()).isEmpty();
      assertThat(actions(store)).containsExactly("resume", "resume", "pause");
    }
  }

  /** Also without transactions one of two callers is told yes. */
  @Test
  void aPauseThatMeetsAnother() {
    try (MongoCompetingStore store = open(MongoOptions.DeadLetters.KEEP)) {
      List<Boolean> other = new ArrayList<>();
      hook.before(
          "update",
          "outbox_pause",
          () ->
              other.add(
                  CompletableFuture.supplyAsync(() -> store.pauses().pause("pages", DECISION))
                      .join()));

      assertThat(store.pauses().pause("pages", DECISION)).isFalse();

      assertThat(other).containsExactly(true);
      assertThat(actions(store)).containsExactly("pause");
    }
  }

  /** The id of any other message is still refused, and nothing is written down for it. */
  @Test
  void aReplacementWhoseIdIsTakenIsRefused() {
    try (MongoCompetingStore store = open(MongoOptions.DeadLetters.KEEP)) {
      kill(store);
      append(store, edited);

      assertThatThrownBy(() -> store.deadLetters().replace(dead.id(), edited, DECISION))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining(edited.id().toString());

      assertThat(store.deadLetters().find(dead.id())).isPresent();
      assertThat(actions(store)).isEmpty();
    }
  }

  /** A copy that a crash left behind must not come back when its message is purged. */
  @Test
  void aCopyOfAReplayedMessageGoesWithIt() {
    try (MongoCompetingStore store = open(MongoOptions.DeadLetters.MOVE)) {
      kill(store);
      endAfter("insert", "outbox", () -> store.deadLetters().replay(List.of(dead.id()), DECISION));
      assertThat(list(store)).isEmpty();
      store.settle(List.of(new Settlement.Delivered(claim(store).get(0))));

      store.purge(Duration.ZERO, 10);

      assertThat(store.find(dead.id())).isEmpty();
      assertThat(list(store)).isEmpty();
    }
  }

  /** Ends the verb as a crash would: what is on its way arrives, and nothing comes after it. */
  private void endAfter(String command, String collection, Runnable verb) {
    hook.after(command, collection, Thread.currentThread()::interrupt);
    assertThatThrownBy(verb::run).isInstanceOf(PostroadException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  private MongoCompetingStore open(MongoOptions.DeadLetters mode) {
    return MongoCompetingStore.open(
        client,
        MongoOptions.defaults()
            .withDatabase(server.freshDatabase("unfinished"))
            .withSchemaMode(SchemaMode.MIGRATE)
            .withTransactionMode(MongoOptions.TransactionMode.NONE)
            .withDeadLetters(mode));
  }

  private void kill(MongoCompetingStore store) {
    append(store, dead);
    assertThat(store.settle(List.of(new Settlement.Dead(claim(store).get(0), "no such topic"))))
        .isEmpty();
  }

  private void append(MongoCompetingStore store, Message message) {
    try (ClientSession session = client.startSession()) {
      store.append(session, List.of(message), Duration.ofHours(1));
    }
  }

  private static List<Claim> claim(MongoCompetingStore store) {
    return store.claim(new ClaimRequest("node", 10, Duration.ofMinutes(1)));
  }

  private void assertNoDeadLetter(MongoCompetingStore store) {
    assertThat(list(store)).isEmpty();
    assertThat(store.deadLetters().find(dead.id())).isEmpty();
    assertThat(store.deadLetters().replay(Set.of(dead.id()), DECISION)).isEmpty();
  }

  private static List<DeadLetter> list(MongoCompetingStore store) {
    return store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10);
  }

  private static List<String> actions(MongoCompetingStore store) {
    return store.deadLetters().audit(Optional.empty(), 10).stream()
        .map(AuditEntry::action)
        .toList();
  }
}
