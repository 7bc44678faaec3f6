package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The active relay is ended under load while two others stand by. A crash repeats at most what was
 * in flight, {@link LaneArgs#MAX_IN_FLIGHT}; a clean stop repeats nothing.
 */
class OrderedRelayKillTest {
  private static final int STOPS = Length.of(1, 3);
  private static final int LATE_EVENTS = 500;
  private static final Duration BEYOND_LEASE = Duration.ofSeconds(5);
  private static final long WITHIN_A_CYCLE_NANOS = Duration.ofMillis(30).toNanos();

  @ParameterizedTest
  @CsvSource({"POSTGRESQL, 3, 5", "MONGODB, 2, 3"})
  void killsAtRandomMomentsKeepOrderAndLoseNothing(Product product, int relays, int killsInFullForm)
      throws Exception {
    int kills = Length.of(1, killsInFullForm);
    Seed seed = Seed.printed("ordered relay kills on " + product);
    SplittableRandom random = seed.random();
    List<Duration> takeOvers = new ArrayList<>();
    try (Scene scene = product.scene(StoreKind.ORDERED);
        Writers writers = Writers.start(scene, seed);
        Nodes nodes = Nodes.start(scene, relays)) {
      for (int kill = 1; kill <= kills; kill++) {
        nodes.awaitReady();
        scene.awaitMoreDelivered(100 + random.nextInt(400), seed);
        LockSupport.parkNanos(random.nextLong(WITHIN_A_CYCLE_NANOS));
        takeOvers.add(nodes.kill(nodes.active()));
      }
      Findings findings = atRest(scene, writers, seed);
      System.out.printf(
          "ordered relay kills on %s: %s; kills=%d take-overs=%s lease=%s rolled-back=%d; %s%n",
          product, findings, kills, takeOvers, nodes.lease(), writers.rolledBack(), seed);
      judge(findings, kills, seed);
      assertThat(takeOvers)
          .as("%s", seed)
          .allSatisfy(took -> assertThat(took).isLessThan(nodes.lease().plus(BEYOND_LEASE)));
    }
  }

  @Test
  void killsAtEachPointKeepOrderAndLoseNothing() throws Exception {
    Seed seed = Seed.printed("kills at points");
    Map<Point, Duration> takeOvers = new EnumMap<>(Point.class);
    try (PostgresScene scene =
            PostgresScene.ordered(PostgresServer.shared(), KafkaServer.shared());
        Writers writers = Writers.start(scene, seed);
        Nodes nodes = Nodes.start(scene, 3)) {
      for (Point point : Point.values()) {
        nodes.awaitReady();
        scene.awaitMoreDelivered(200, seed);
        LaneChild active = nodes.active();
        bringTo(point, active, scene, seed);
        takeOvers.put(point, nodes.kill(active));
      }
      Findings findings = atRest(scene, writers, seed);
      System.out.printf(
          "kills at points: %s; take-overs=%s lease=%s; %s%n",
          findings, takeOvers, nodes.lease(), seed);
      judge(findings, takeOvers.size(), seed);
      assertThat(findings.duplicates())
          .as("repeats of what was sent and not written down; %s", seed)
          .isPositive();
      assertThat(takeOvers)
          .as("%s", seed)
          .allSatisfy(
              (point, took) -> assertThat(took).isLessThan(nodes.lease().plus(BEYOND_LEASE)));
    }
  }

  @Test
  void cleanStopsHandOverAtOnceAndRepeatNothing() throws Exception {
    Seed seed = Seed.printed("clean stops");
    List<Duration> takeOvers = new ArrayList<>();
    try (PostgresScene scene =
            PostgresScene.ordered(PostgresServer.shared(), KafkaServer.shared());
        Writers writers = Writers.start(scene, seed);
        Nodes nodes = Nodes.start(scene, 3)) {
      for (int stop = 1; stop <= STOPS; stop++) {
        nodes.awaitReady();
        scene.awaitMoreDelivered(300, seed);
        takeOvers.add(nodes.stop(nodes.active()));
      }
      Findings findings = atRest(scene, writers, seed);
      System.out.printf("clean stops: %s; take-overs=%s; %s%n", findings, takeOvers, seed);
      judge(findings, 0, seed);
      assertThat(takeOvers)
          .as("no lease is waited for; %s", seed)
          .allSatisfy(took -> assertThat(took).isLessThan(nodes.lease().dividedBy(2)));
    }
  }

  /** A relay that stands in the middle of a rotation holds a lock that every reader waits for. */
  @Test
  void aRelayThatHangsInARotationDoesNotHoldUpTheOthers() throws Exception {
    Seed seed = Seed.printed("hang in a rotation");
    try (PostgresScene scene =
            PostgresScene.ordered(PostgresServer.shared(), KafkaServer.shared());
        Writers writers = Writers.start(scene, seed);
        Nodes nodes = Nodes.start(scene, 2)) {
      scene.awaitMoreDelivered(200, seed);
      LaneChild standby = nodes.standby();
      bringTo(Point.ROTATION, standby, scene, seed);
      standby.freeze();
      scene.awaitMoreDelivered(2_000, seed);
      standby.unfreeze();
      Findings findings = atRest(scene, writers, seed);
      System.out.printf("hang in a rotation: %s; %s%n", findings, seed);
      assertThat(findings.ok()).as("%s; %s", findings, seed).isTrue();
    }
  }

  private static void bringTo(Point point, LaneChild relay, PostgresScene scene, Seed seed)
      throws Exception {
    switch (point) {
      case WINDOW_OPENED, WINDOW_WRITTEN -> commitLate(point, relay, scene, seed);
      case ROTATION -> {
        ageDelivered(scene);
        relay.stopAt(point);
      }
      default -> relay.stopAt(point);
    }
    relay.awaitAt(point);
  }

  /** A transaction of many events that commits when the lane has been read far beyond them. */
  private static void commitLate(Point point, LaneChild relay, PostgresScene scene, Seed seed)
      throws Exception {
    Bookings<?> bookings = scene.bookings();
    int first = 1 + (point == Point.WINDOW_OPENED ? 0 : LATE_EVENTS);
    List<Message> events =
        IntStream.range(first, first + LATE_EVENTS)
            .mapToObj(number -> bookings.event(Bookings.LATE, "late", "" + number))
            .toList();
    bookings.write(
        events,
        () -> {
          try {
            scene.awaitPassed(scene.lastPlace(), seed);
          } catch (Exception stuck) {
            throw new AssertionError(stuck);
          }
          relay.stopAt(point);
        });
  }

  /** Moves what is delivered into the table that was written two periods ago. */
  private static void ageDelivered(PostgresScene scene) throws SQLException {
    long current =
        scene
            .sql()
            .number(
                """
                SELECT n
                FROM generate_series(0, 2) AS n
                ORDER BY (xpath('/row/c/text()', query_to_xml(
                  'SELECT count(*) AS c FROM outbox_log_' || n, false, true, '')))[1]::text::bigint
                  DESC
                LIMIT 1
                """);
    scene
        .sql()
        .execute(
            """
            WITH delivered AS (
              DELETE FROM outbox_log_%d AS l
              USING outbox_position AS p
              WHERE l.pos <= p.floor
              RETURNING l.*)
            INSERT INTO outbox_log_%d
            SELECT * FROM delivered
            """
                .formatted(current, (current + 1) % 3));
  }

  private static Findings atRest(Scene scene, Writers writers, Seed seed) throws Exception {
    writers.close();
    scene.awaitRest(seed::toString);
    assertThat(writers.failed()).as("failed transactions; %s", seed).isZero();
    return scene.findings(writers.acknowledged());
  }

  private static void judge(Findings findings, int crashes, Seed seed) {
    assertThat(findings.ok()).as("%s; %s", findings, seed).isTrue();
    assertThat(findings.duplicates())
        .as("repeats after %d crashes; %s", crashes, seed)
        .isLessThanOrEqualTo(crashes * LaneArgs.MAX_IN_FLIGHT);
  }
}
