package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.faults.Topic.Arrival;
import io.postroad.kafka.KafkaSender;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

/** A broker that refuses, hangs or restarts while followers of the same key are on their way. */
class BrokerTroubleTest {
  private static final String KEY = "refused";
  private static final int BEFORE = 10;
  private static final int FOLLOWERS = 50;

  @Test
  void aRefusedMessageParksItsKeyWhileOthersFlow() throws Exception {
    Seed seed = Seed.printed("refused message");
    try (PostgresScene scene =
            PostgresScene.ordered(
                PostgresServer.shared(),
                KafkaServer.shared(),
                Map.of("max.message.bytes", "100000"));
        KafkaSender sender = sender(scene);
        OutboxRelay relay = relay(scene, sender, new AtomicInteger());
        Writers writers = Writers.start(scene, seed)) {
      relay.start();
      scene.awaitMoreDelivered(200, seed);
      Message refused = scene.bookings().event("Booked", KEY, "\"" + "x".repeat(200_000) + "\"");
      Set<UUID> before = book(scene, 1, BEFORE);
      scene.bookings().write(List.of(refused), () -> {});
      Set<UUID> followers = book(scene, BEFORE + 2, FOLLOWERS);
      writers.awaitMore(500, seed);
      writers.close();
      scene.awaitRestOf("message_key <> '" + KEY + "'", seed::toString);

      Set<UUID> acknowledged = new HashSet<>(writers.acknowledged());
      acknowledged.addAll(before);
      acknowledged.addAll(followers);
      acknowledged.add(refused.id());
      Set<UUID> held = new HashSet<>(followers);
      held.add(refused.id());
      Findings parked = scene.findings(acknowledged);
      System.out.printf("refused message: %s; %s%n", parked, seed);
      assertThat(parked.dead()).as("%s; %s", parked, seed).containsExactly(refused.id());
      assertThat(parked.lost()).as("not arrived; %s", seed).isEqualTo(held);
      assertThat(parked.outOfOrder()).as("%s", seed).isZero();
      assertThat(parked.phantoms()).isEmpty();

      scene.sql().execute("DELETE FROM outbox_held WHERE status = 'FAILED'");
      scene.sql().execute("UPDATE outbox_held_key SET parked_at = NULL");
      scene.sql().execute("DELETE FROM booking WHERE event_id = '" + refused.id() + "'");
      scene.awaitRest(seed::toString);
      acknowledged.remove(refused.id());
      Findings freed = scene.findings(acknowledged);
      System.out.printf("refused message, its key freed: %s; %s%n", freed, seed);
      assertThat(freed.ok()).as("%s; %s", freed, seed).isTrue();
      assertThat(scene.arrivals().stream().filter(event -> event.account().equals(KEY)))
          .extracting(Arrival::number)
          .as("%s", seed)
          .containsExactlyElementsOf(
              IntStream.rangeClosed(1, BEFORE + 1 + FOLLOWERS)
                  .filter(number -> number != BEFORE + 1)
                  .boxed()
                  .toList());
    }
  }

  @Test
  @DisabledIfEnvironmentVariable(
      named = "KAFKA_BOOTSTRAP_SERVERS",
      matches = ".+",
      disabledReason = "a broker that is not ours cannot be frozen")
  void aBrokerThatHangsUntilSendsTimeOutAndOneThatRestartsKeepOrder() throws Exception {
    Seed seed = Seed.printed("broker trouble");
    AtomicInteger unknown = new AtomicInteger();
    try (KafkaServer kafka = KafkaServer.started();
        PostgresScene scene = PostgresScene.ordered(PostgresServer.shared(), kafka);
        KafkaSender sender = sender(scene);
        OutboxRelay relay = relay(scene, sender, unknown);
        Writers writers = Writers.start(scene, seed)) {
      relay.start();
      scene.awaitMoreDelivered(300, seed);
      kafka.freeze();
      awaitUnknown(unknown, 1);
      kafka.unfreeze();
      scene.awaitMoreDelivered(500, seed);
      int unknownByFreeze = unknown.get();
      kafka.restart();
      scene.awaitMoreDelivered(500, seed);
      writers.close();
      scene.awaitRest(seed::toString);

      Findings findings = scene.findings(writers.acknowledged());
      System.out.printf(
          "broker trouble: %s; unknown outcomes: %d by the freeze, %d in all; %s%n",
          findings, unknownByFreeze, unknown.get(), seed);
      assertThat(findings.ok()).as("%s; %s", findings, seed).isTrue();
      assertThat(writers.failed()).as("failed transactions; %s", seed).isZero();
    }
  }

  private static void awaitUnknown(AtomicInteger unknown, int count) throws Exception {
    Eventually.await(
        Duration.ofMinutes(1), () -> unknown.get() >= count, () -> "no send has timed out");
  }

  private static LaneArgs args(PostgresScene scene) {
    return new LaneArgs(
        "relay",
        scene.database(),
        scene.bootstrapServers(),
        Duration.ofSeconds(2),
        8,
        LaneArgs.SHORT_LEASE);
  }

  private static KafkaSender sender(PostgresScene scene) {
    return KafkaSender.create(args(scene).toKafka());
  }

  private static OutboxRelay relay(PostgresScene scene, KafkaSender sender, AtomicInteger unknown) {
    return OutboxRelay.builder(scene.store(), sender)
        .options(args(scene).toRelay().withRetention(Duration.ofDays(1)))
        .observer(
            signal -> {
              if (signal instanceof OutboxSignal.Released) {
                unknown.incrementAndGet();
              }
            })
        .build();
  }

  private static Set<UUID> book(PostgresScene scene, int first, int count) throws Exception {
    List<Message> events =
        IntStream.range(first, first + count)
            .mapToObj(number -> scene.bookings().event(KEY, number))
            .toList();
    for (Message event : events) {
      scene.bookings().write(List.of(event), () -> {});
    }
    return events.stream().map(Message::id).collect(Collectors.toSet());
  }
}
