package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.faults.StationChild.Figures;
import io.postroad.faults.StationChild.Logged;
import io.postroad.message.Message;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PostgresServer;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The broker between an outbox and an inbox is stopped under load and started again: the backlog
 * drains, nothing is lost, each effect happens once and those of a key in order, and neither memory
 * nor log fills meanwhile.
 *
 * <p>For how long is {@code -Dpostroad.down=PT1M}; a few seconds unless given.
 */
class BrokerStopTest {
  private static final Duration DOWN_FOR =
      Duration.parse(System.getProperty("postroad.down", "PT6S"));
  private static final int BALLAST_KEYS = 50;
  private static final int BALLAST_PER_KEY = Length.of(40, 80);
  private static final String PADDING = " ".repeat(16_000);
  private static final long MEGABYTE = 1 << 20;

  /** Half of what the ballast has. */
  private static final long MOST_MEGABYTES =
      (long) BALLAST_KEYS * BALLAST_PER_KEY * PADDING.length() / MEGABYTE / 2;

  private static final int MOST_LINES = 20;

  /** Kafka's clients try to connect once a second, and say so. */
  private static final int MOST_LINES_OF_CLIENTS_PER_SECOND = 10;

  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @ParameterizedTest
  @EnumSource
  void aBrokerThatIsDownForAWhileCostsNothingButTime(BrokerKind kind) throws Exception {
    Seed seed = Seed.printed("stop of " + kind);
    Broker broker = kind.started();
    try (PostgresScene scene = PostgresScene.orderedTo(broker, PostgresServer.shared());
        OpenInbox<?> inbox = database(scene).openInbox("test", SchemaMode.MIGRATE);
        StationChild station = StationChild.start(args(scene, broker));
        Writers writers = Writers.start(scene, seed)) {
      awaitEffects(inbox, 300, seed);
      Figures before = station.figures();
      long stopped = System.nanoTime();
      broker.server().stop();
      writeBallast(scene.bookings());
      Eventually.await(
          DOWN_FOR.plus(PATIENCE), () -> since(stopped).compareTo(DOWN_FOR) >= 0, seed::toString);
      Figures down = station.figures();
      int waiting = scene.committed().size() - inbox.effects().messages();
      broker.server().start();
      Duration downFor = since(stopped);
      writers.awaitMore(200, seed);
      writers.close();
      long drains = System.nanoTime();
      Set<UUID> committed = scene.committed();
      awaitEffects(inbox, committed.size(), seed);
      scene.awaitRest(seed::toString);
      Figures after = station.figures();
      Logged logged = station.logged();

      EffectFindings findings = EffectFindings.of(committed, inbox.effects().all());
      long grewDown = (down.heapBytes() - before.heapBytes()) / MEGABYTE;
      long grewAfter = (after.heapBytes() - before.heapBytes()) / MEGABYTE;
      System.out.printf(
          "stop of %s: %s; down for %s, %d messages waited, drained in %s; delivered-again=%d,"
              + " heap grew by %d MB while down and %d MB after; %s; %s%n",
          kind,
          findings,
          downFor,
          waiting,
          since(drains),
          after.repeated(),
          grewDown,
          grewAfter,
          logged,
          seed);
      assertThat(findings.onceInOrder()).as("%s; %s", findings, seed).isTrue();
      assertThat(writers.failed()).as("failed transactions; %s", seed).isZero();
      assertThat(inbox.retries().backlog().dead()).as("dead; %s", seed).isZero();
      assertThat(Math.max(grewDown, grewAfter))
          .as("MB that the heap grew by; %s", seed)
          .isLessThan(MOST_MEGABYTES);
      assertThat(logged.errors()).as("errors of a broker that comes back; %s", seed).isZero();
      assertThat(logged.ours()).as("lines of ours; %s", seed).isBetween(1, MOST_LINES);
      assertThat(logged.others())
          .as("lines of clients; %s", seed)
          .isLessThan(
              MOST_LINES
                  + MOST_LINES_OF_CLIENTS_PER_SECOND * (int) downFor.plusSeconds(1).toSeconds());
    } finally {
      broker.server().close();
    }
  }

  private static HandlerDatabase database(PostgresScene scene) {
    return HandlerDatabase.parse(scene.database().text());
  }

  private static ConsumerArgs args(PostgresScene scene, Broker broker) {
    return new ConsumerArgs(
        "station", database(scene), broker.kind(), broker.address(), broker.destination());
  }

  /** More than the station may have in memory. */
  private static void writeBallast(Bookings<?> bookings) throws Exception {
    for (int number = 1; number <= BALLAST_PER_KEY; number++) {
      String text = PADDING + number;
      bookings.write(
          IntStream.range(0, BALLAST_KEYS)
              .<Message>mapToObj(key -> bookings.event("Booked", "ballast-" + key, text))
              .toList(),
          () -> {});
    }
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  /** However long it takes, while there are more. */
  private static void awaitEffects(OpenInbox<?> inbox, int messages, Seed seed) throws Exception {
    for (int before = inbox.effects().messages();
        before < messages;
        before = inbox.effects().messages()) {
      int there = before;
      Eventually.await(
          PATIENCE,
          () -> inbox.effects().messages() > there,
          () ->
              "%d of %d messages have an effect, and no more; retry line: %s; %s"
                  .formatted(there, messages, inbox.retries().backlog(), seed));
    }
  }
}
