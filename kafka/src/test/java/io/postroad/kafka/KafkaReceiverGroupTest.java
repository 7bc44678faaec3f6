package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.servers.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Partitions move between receivers of one group while messages arrive. */
@Timeout(180)
class KafkaReceiverGroupTest {
  private static final int PARTITIONS = 6;
  private static final int KEYS = 30;
  private static final int ROUNDS = 100;

  private final ReceiverScene scene = new ReceiverScene(KafkaServer.shared(), PARTITIONS);

  @AfterEach
  void close() throws Exception {
    scene.close();
  }

  @Test
  void noMessageIsLostDuplicatedOrReorderedWhileReceiversJoinAndLeave() {
    List<String> types = new ArrayList<>();
    Set<String> first = ConcurrentHashMap.newKeySet();
    Set<String> second = ConcurrentHashMap.newKeySet();
    AtomicBoolean all = new AtomicBoolean();
    KafkaReceiver one =
        scene.start(scene.options(), (message, context) -> first.add(context.messageId()));
    CompletableFuture<Void> sending =
        CompletableFuture.runAsync(
            () -> {
              while (types.size() < ROUNDS || !all.get()) {
                types.add("T" + types.size());
                sendToAllKeys(types.get(types.size() - 1));
              }
            });

    KafkaReceiver third;
    try {
      scene.awaitEffects(KEYS * 10);
      scene.start(scene.options(), (message, context) -> second.add(context.messageId()));
      Eventually.until("the second has some", () -> second.size() > KEYS);
      third = scene.start(scene.options(), (message, context) -> second.add(context.messageId()));
    } finally {
      // Not earlier: the first receiver could have handled all of them when the second joins.
      all.set(true);
    }
    sending.join();
    one.stop();
    third.stop();

    int sent = KEYS * types.size();
    scene.awaitCommitted(PARTITIONS, sent);
    assertThat(scene.effects).hasSize(sent);
    assertThat(new HashSet<>(scene.effects)).hasSize(sent);
    assertThat(scene.typesByKey())
        .hasSize(KEYS)
        .allSatisfy((key, seen) -> assertThat(seen).isEqualTo(types));
    assertThat(first).isNotEmpty();
  }

  private void sendToAllKeys(String type) {
    scene.send(
        IntStream.range(0, KEYS)
            .mapToObj(k -> scene.message(type, "k" + k))
            .toArray(Message[]::new));
  }

  @Test
  void aHandlerThatOutlivesItsPartitionTakesEffectOnceAndInOrder() {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicBoolean slow = new AtomicBoolean(true);
    KafkaReceiver old =
        scene.start(
            scene.options().withDrainFor(Duration.ofMillis(200)),
            (message, context) -> {
              if (slow.get()) {
                running.countDown();
                awaitUninterruptibly(release);
              }
            });
    scene.send(scene.message("A", "k"));
    Eventually.until("it runs", () -> running.getCount() == 0);

    CompletableFuture<Void> stopping = CompletableFuture.runAsync(old::stop);
    slow.set(false);
    scene.start();
    scene.send(scene.message("B", "k"));
    release.countDown();
    stopping.join();

    scene.awaitCommitted(PARTITIONS, 2);
    assertThat(scene.typesByKey().get("k")).containsExactly("A", "B");
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
