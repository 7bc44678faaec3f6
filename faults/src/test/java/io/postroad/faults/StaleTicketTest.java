package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import io.postroad.message.Message;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.MongoServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/**
 * A writer stands still between the ticket that it drew and the insert, while its primary is lost
 * together with everything about that ticket. The next primary gives lower tickets, and the late
 * message must not come behind them.
 */
class StaleTicketTest {
  private static final String KEY = "late";
  private static final int LOST_TICKETS = 50;
  private static final Document LANE = new Document("_id", 0);

  @Test
  void aTicketOfALostPrimaryIsNotUsed() throws Exception {
    Seed seed = Seed.printed("stale ticket");
    Set<UUID> acknowledged = new HashSet<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    ReplicaSet set = ReplicaSet.whole();
    try (MongoScene scene =
        MongoScene.of(StoreKind.ORDERED, set.freshDatabase(), KafkaServer.shared())) {
      DrawGate gate = new DrawGate();
      Bookings<?> late = scene.bookings(gate);
      Bookings<?> others = scene.bookings();
      for (int number = 1; number <= 3; number++) {
        acknowledged.addAll(write(late, number));
      }

      MongoServer primary = set.primary();
      set.isolate(primary);
      Future<?> taken = threads.submit(() -> takeBack(others));
      awaitTicket(scene.on(primary), 3 + LOST_TICKETS);
      gate.close();
      Future<Set<UUID>> held = threads.submit(() -> write(late, 4));
      gate.awaitHeld();
      set.killIsolated(primary);
      assertThat(lastTicket(scene.on(set.primary()))).as("tickets are lost").isEqualTo(3);
      gate.open();

      acknowledged.addAll(held.get(1, TimeUnit.MINUTES));
      for (int number = 5; number <= 7; number++) {
        acknowledged.addAll(write(late, number));
      }
      primary.restart();
      taken.get(1, TimeUnit.MINUTES);
      try (Nodes nodes = Nodes.start(scene, 1)) {
        scene.awaitRest(seed::toString);
        Findings findings = scene.findings(acknowledged);
        System.out.printf("stale ticket: %s; epoch=%d%n", findings, nodes.epoch());
        assertThat(findings.ok()).as("%s", findings).isTrue();
        assertThat(scene.arrivals())
            .extracting(Topic.Arrival::number)
            .containsExactly(1, 2, 3, 4, 5, 6, 7);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void awaitTicket(MongoAddress server, long ticket) throws Exception {
    Eventually.await(
        Duration.ofMinutes(1),
        () -> lastTicket(server) >= ticket,
        () -> "no writer has drawn ticket " + ticket);
  }

  private static long lastTicket(MongoAddress server) {
    try (MongoClient client = server.connect("question")) {
      Document counter =
          client.getDatabase(server.database()).getCollection("outbox_counter").find(LANE).first();
      return counter == null ? 0 : counter.get("seq", Number.class).longValue();
    }
  }

  /** As the first thing that its transaction does, so that nothing ties that to a primary yet. */
  private static Set<UUID> write(Bookings<?> bookings, int number) throws Exception {
    Message event = bookings.event(KEY, number);
    bookings.appendFirst(List.of(event), () -> {});
    return Set.of(event.id());
  }

  /** Draws many tickets and uses none. */
  private static void takeBack(Bookings<?> bookings) {
    List<Message> events = new ArrayList<>();
    for (int i = 0; i < LOST_TICKETS; i++) {
      events.add(bookings.event("other", i));
    }
    try {
      bookings.appendFirst(
          events,
          () -> {
            throw new IllegalStateException("taken back");
          });
    } catch (Exception asWanted) {
      // Whether it could be rolled back or its server was gone before: nothing is committed.
    }
  }

  /** Holds a thread up that has drawn tickets and does not know it yet. */
  private static final class DrawGate implements CommandListener {
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    void close() {
      closed.set(true);
    }

    void awaitHeld() throws InterruptedException {
      assertThat(held.await(1, TimeUnit.MINUTES)).as("a ticket was drawn").isTrue();
    }

    void open() {
      open.countDown();
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
      if (event.getCommandName().equals("findAndModify") && closed.getAndSet(false)) {
        held.countDown();
        try {
          open.await();
        } catch (InterruptedException stopping) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
