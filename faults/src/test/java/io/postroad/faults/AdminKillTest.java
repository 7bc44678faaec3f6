package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.admin.OutboxAdmin;
import io.postroad.faults.AdminProcess.Verb;
import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.servers.ChildJvm;
import io.postroad.store.AuditEntry;
import io.postroad.store.OrderKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A process that decides about dead letters is killed again and again. What was decided stands, the
 * same call does the rest, everything is decided once, and nothing is lost or overtaken.
 */
class AdminKillTest {
  private static final int ACCOUNTS = 480;
  private static final int EACH = 2;
  private static final int KILLS = Length.of(1, 2);

  /** How many a bulk verb changes at once. */
  private static final int BATCH = 100;

  private static final Duration PATIENCE = Duration.ofMinutes(4);

  static Stream<Arguments> verbs() {
    return Stream.of(Product.values())
        .flatMap(
            product ->
                Stream.of(
                    Arguments.of(product, StoreKind.COMPETING, Verb.REPLAY_ALL),
                    Arguments.of(product, StoreKind.ORDERED, Verb.REPLAY_ALL),
                    Arguments.of(product, StoreKind.ORDERED, Verb.RELEASE_EACH)));
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void whatWasDecidedStandsAndTheSameCallDoesTheRest(Product product, StoreKind kind, Verb verb)
      throws Exception {
    try (Scene scene = product.sceneForKilledClients(kind);
        OpenOutbox<?> outbox = scene.database().open(kind, "test", new StopPoints())) {
      Set<UUID> booked = book(scene);
      killAll(scene, outbox);
      Set<UUID> dead = scene.dead();

      for (int i = 0; i < KILLS; i++) {
        killInTheMiddle(verb, scene);
        if (verb == Verb.REPLAY_ALL) {
          int done = dead.size() - scene.dead().size();
          assertThat(done % BATCH == 0 || done == dead.size())
              .as("whole batches: %d", done)
              .isTrue();
        }
      }
      OutboxAdmin admin = OutboxAdmin.over(outbox.store());
      verb.complete(admin);

      assertThat(scene.dead()).isEmpty();
      assertThat(admin.audit(Optional.empty(), 1_000))
          .as("everything was decided once")
          .extracting(AuditEntry::subject)
          .containsExactlyInAnyOrderElementsOf(dead.stream().map(UUID::toString).toList());
      deliver(scene, outbox);
      Findings findings = scene.findings(booked);
      assertThat(findings.ok()).as("%s", findings).isTrue();
    }
  }

  /** All but those that were discarded arrive, in order. */
  @ParameterizedTest
  @MethodSource("products")
  void whatWasDiscardedStaysGone(Product product) throws Exception {
    StoreKind kind = StoreKind.ORDERED;
    try (Scene scene = product.sceneForKilledClients(kind);
        OpenOutbox<?> outbox = scene.database().open(kind, "test", new StopPoints())) {
      book(scene);
      killAll(scene, outbox);
      Set<UUID> dead = scene.dead();

      killInTheMiddle(Verb.DISCARD_ALL, scene);
      Verb.DISCARD_ALL.complete(OutboxAdmin.over(outbox.store()));

      deliver(scene, outbox);
      assertThat(scene.findings(Set.of()).lost()).isEqualTo(dead);
    }
  }

  static Stream<Product> products() {
    return Stream.of(Product.values());
  }

  private static Set<UUID> book(Scene scene) throws Exception {
    Bookings<?> bookings = scene.bookings();
    Set<UUID> booked = new HashSet<>();
    for (int account = 0; account < ACCOUNTS; account++) {
      List<Message> events = new ArrayList<>();
      for (int number = 0; number < EACH; number++) {
        events.add(bookings.event("account-" + account, number));
      }
      bookings.write(events, () -> {});
      events.forEach(event -> booked.add(event.id()));
    }
    return booked;
  }

  /** In an ordered outbox the first of each key dies and the others wait behind it. */
  private static void killAll(Scene scene, OpenOutbox<?> outbox) throws Exception {
    int expected = scene.kind() == StoreKind.ORDERED ? ACCOUNTS : ACCOUNTS * EACH;
    try (OutboxRelay relay = OutboxRelay.builder(outbox.store(), new RefusingSender()).build()) {
      relay.start();
      Eventually.await(
          PATIENCE,
          () -> scene.dead().size() == expected,
          () -> "expected %d dead: %s".formatted(expected, scene.statuses()));
      relay.stop();
    }
  }

  private static void killInTheMiddle(Verb verb, Scene scene) throws Exception {
    if (scene.dead().isEmpty()) {
      return;
    }
    try (ChildJvm operator =
        ChildJvm.start(
            AdminProcess.class, scene.database().text(), scene.kind().name(), verb.name())) {
      operator.awaitLine(AdminProcess.DONE::equals, PATIENCE);
      operator.kill();
    }
  }

  private static void deliver(Scene scene, OpenOutbox<?> outbox) throws Exception {
    RelayOptions options = RelayOptions.defaults().withSweepEvery(Duration.ofMillis(100));
    try (MessageSender sender =
            KafkaSender.create(KafkaSenderOptions.of(scene.bootstrapServers()));
        OutboxRelay relay = OutboxRelay.builder(outbox.store(), sender).options(options).build()) {
      relay.start();
      scene.awaitRest(() -> "after the operators were killed");
      relay.stop();
    }
  }

  /** Refuses the first of each key for good; what is behind it does not go out. */
  private static final class RefusingSender implements MessageSender {
    @Override
    public String name() {
      return "refusing";
    }

    @Override
    public Duration timeout() {
      return Duration.ofSeconds(5);
    }

    @Override
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      Set<OrderKey> refused = new HashSet<>();
      return messages.stream()
          .<CompletionStage<SendOutcome>>map(
              message ->
                  CompletableFuture.completedFuture(
                      refused.add(OrderKey.of(message))
                          ? SendOutcome.Rejected.forGood("refused")
                          : new SendOutcome.Unknown("not sent")))
          .toList();
    }

    @Override
    public void close() {}
  }
}
