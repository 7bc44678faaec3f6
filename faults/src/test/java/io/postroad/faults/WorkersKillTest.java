package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.schema.SchemaMode;
import io.postroad.store.Backlog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Workers without a broker are killed in the middle of their work while others go on: each message
 * has its effect once. Nothing but the transaction that settles it keeps effects from being
 * repeated.
 */
class WorkersKillTest {
  private static final int KILLS = Length.of(3, 6);
  private static final int KEYS = 20;
  private static final int PER_KEY = 15;
  private static final long WITHIN_A_RUN_NANOS = Duration.ofMillis(30).toNanos();
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @ParameterizedTest
  @EnumSource
  void workersKilledAtRandomMomentsHaveEachEffectOnce(Product product) throws Exception {
    Seed seed = Seed.printed("worker kills on " + product);
    SplittableRandom random = seed.random();
    HandlerDatabase database = product.handlerDatabase();
    int takenOver = 0;
    try (OpenStreams<?> streams = database.openStreams("test", SchemaMode.MIGRATE)) {
      Set<UUID> sent = new HashSet<>();
      HandlerChild[] workers = {start("worker-0.0", database), start("worker-1.0", database)};
      try {
        for (int kill = 1; kill <= KILLS; kill++) {
          int before = streams.effects().messages();
          append(streams, 1 + (kill - 1) * PER_KEY, sent);
          awaitEffects(streams, before + 40 + random.nextInt(120), seed);
          LockSupport.parkNanos(random.nextLong(WITHIN_A_RUN_NANOS));
          int victim = random.nextInt(workers.length);
          workers[victim].kill();
          takenOver += workers[victim].lines(WorkerProcess.TAKEN_OVER);
          workers[victim].close();
          workers[victim] = start("worker-" + victim + "." + kill, database);
        }
        awaitRest(streams, seed);
      } finally {
        for (HandlerChild worker : workers) {
          takenOver += worker.lines(WorkerProcess.TAKEN_OVER);
          worker.close();
        }
      }

      EffectFindings findings = EffectFindings.of(sent, streams.effects().all());
      System.out.printf(
          "worker kills on %s: %s; kills=%d taken-over=%d; %s%n",
          product, findings, KILLS, takenOver, seed);
      assertThat(findings.once()).as("%s; %s", findings, seed).isTrue();
      assertThat(takenOver).as("taken over from the dead; %s", seed).isPositive();
    }
  }

  private static HandlerChild start(String name, HandlerDatabase database) {
    return HandlerChild.start(WorkerProcess.class, name, database.text());
  }

  /** So many messages of each key, more than are waited for, whose numbers go on. */
  private static <T> void append(OpenStreams<T> streams, int first, Set<UUID> sent) {
    Outbox<T> outbox = Outbox.over(streams.store());
    for (int number = first; number < first + PER_KEY; number++) {
      List<Message> round = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        round.add(
            Message.event("Booked")
                .to(WorkerProcess.STREAM)
                .key("account-" + key)
                .json(Integer.toString(number))
                .build());
      }
      streams.store().transactions().run(transaction -> outbox.appendAll(round));
      round.forEach(message -> sent.add(message.id()));
    }
  }

  private static void awaitEffects(OpenStreams<?> streams, int messages, Seed seed)
      throws Exception {
    Eventually.await(
        PATIENCE,
        () -> streams.effects().messages() >= messages,
        () ->
            "expected effects of %d messages; outbox: %s; %s"
                .formatted(messages, streams.store().backlog(), seed));
  }

  private static void awaitRest(OpenStreams<?> streams, Seed seed) throws Exception {
    Eventually.await(
        PATIENCE,
        () -> {
          Backlog outbox = streams.store().backlog();
          return outbox.pending() == 0 && outbox.dead() == 0;
        },
        () -> "the outbox has %s; %s".formatted(streams.store().backlog(), seed));
  }
}
