package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A worker is frozen (SIGSTOP) with messages in flight until another one has taken them over. Then
 * it goes on and settles them, in each of the ways there are.
 */
class FrozenWorkerTest {
  private static final int MESSAGES = 20;
  private static final Duration SHORT_LEASE = Duration.ofMillis(500);
  private static final Duration ENDLESS_LEASE = Duration.ofHours(1);

  @Test
  void lateSettlesChangeNothingThatTheSuccessorHolds() throws Exception {
    try (PostgresScene scene = PostgresScene.on(PostgresServer.shared(), KafkaServer.shared())) {
      Set<UUID> all = write(scene, 1);
      try (RelayChild frozen = claimedAndFrozen(scene);
          RelayChild successor = scene.startRelay("successor", ENDLESS_LEASE, HoldUp.THEN_SENT)) {
        assertThat(successor.awaitHeldUp()).as("messages taken over").isEqualTo(MESSAGES);
        Map<UUID, Map<String, String>> before = scene.rows();
        assertThat(before.values())
            .allSatisfy(
                row ->
                    assertThat(row)
                        .containsEntry("status", "PENDING")
                        .containsEntry("lease_owner", "successor")
                        .containsEntry("lease_token", "2")
                        .containsEntry("attempt", "2"));

        settleLate(scene, frozen, before);

        successor.goOn();
        judge(scene, all, frozen);
      }
    }
  }

  @Test
  void lateSettlesChangeNothingThatTheSuccessorHasDelivered() throws Exception {
    try (PostgresScene scene = PostgresScene.on(PostgresServer.shared(), KafkaServer.shared())) {
      Set<UUID> all = new HashSet<>(write(scene, 1));
      try (RelayChild frozen = claimedAndFrozen(scene)) {
        try (RelayChild successor = scene.startRelay("successor")) {
          scene.awaitRest(() -> "the successor should take over: " + successor.output());
        }
        Map<UUID, Map<String, String>> before = scene.rows();
        assertThat(before.values())
            .allSatisfy(row -> assertThat(row).containsEntry("status", "DISPATCHED"));

        settleLate(scene, frozen, before);

        all.addAll(write(scene, MESSAGES + 1));
        judge(scene, all, frozen);
      }
    }
  }

  private static RelayChild claimedAndFrozen(PostgresScene scene) {
    RelayChild relay = scene.startRelay("frozen", SHORT_LEASE, HoldUp.THEN_MIXED);
    assertThat(relay.awaitHeldUp()).as("messages in flight").isEqualTo(MESSAGES);
    relay.freeze();
    return relay;
  }

  /** Lets the frozen worker settle; the rows must be as they were, in every column. */
  private static void settleLate(
      PostgresScene scene, RelayChild frozen, Map<UUID, Map<String, String>> before)
      throws SQLException {
    frozen.unfreeze();
    frozen.goOn();
    assertThat(frozen.awaitFenceRejections(MESSAGES)).as("rejected").isEqualTo(before.keySet());
    assertThat(changes(before, scene.rows())).as("changed by the late settles").isEmpty();
  }

  private static List<String> changes(
      Map<UUID, Map<String, String>> before, Map<UUID, Map<String, String>> after) {
    assertThat(after.keySet()).isEqualTo(before.keySet());
    List<String> changes = new ArrayList<>();
    before.forEach(
        (id, row) ->
            row.forEach(
                (column, value) -> {
                  String now = after.getOrDefault(id, Map.of()).getOrDefault(column, "missing");
                  if (!now.equals(value)) {
                    changes.add("%s: %s was %s, is %s".formatted(id, column, value, now));
                  }
                }));
    return changes;
  }

  private static void judge(PostgresScene scene, Set<UUID> all, RelayChild frozen)
      throws Exception {
    scene.awaitRest(() -> "the relay that was frozen said " + frozen.output());
    Findings findings = scene.findings(all);
    System.out.printf(
        "frozen worker: %s; fence-rejections=%d%n",
        findings, frozen.totals().getOrDefault("FenceRejected", 0));
    assertThat(findings.ok()).as(findings.toString()).isTrue();
    assertThat(findings.duplicates())
        .as("what was acknowledged before the freeze and sent again by the successor")
        .isGreaterThanOrEqualTo(MESSAGES / LateOutcome.values().length);
  }

  private static Set<UUID> write(PostgresScene scene, int firstNumber) throws Exception {
    Bookings<?> bookings = scene.bookings();
    List<Message> events =
        IntStream.range(firstNumber, firstNumber + MESSAGES)
            .mapToObj(number -> bookings.event("account", number))
            .toList();
    bookings.write(events, () -> {});
    return events.stream().map(Message::id).collect(Collectors.toSet());
  }
}
