package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandRequest;
import io.postroad.command.DomainCommand;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.servers.PostgresServer;
import io.postroad.transaction.Transactions;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What is in flight when the application is closed is finished: its rows and its message are there.
 */
class ShutdownTest {
  private static final long AT_MOST_SECONDS = 60;

  @Test
  void aHandlerInFlightFinishesItsWork() throws Exception {
    String url = PostgresServer.shared().createDatabase("micronaut_shutdown");
    TestPostgres.execute(url, "CREATE TABLE shipment (order_id text PRIMARY KEY)");
    Work work = new Work();
    ApplicationContext application =
        Apps.with(Apps.postgres(url), Beans.ASKED, "sender,shipping").singletons(work).start();
    CommandBus<?> bus = application.getBean(CommandBus.class);
    var unused = bus.accept(CommandRequest.of("Ship", "s-1", "o-1", "{\"orderId\":\"o-1\"}"));
    assertThat(work.begun.await(AT_MOST_SECONDS, TimeUnit.SECONDS)).isTrue();

    Thread closing = new Thread(application::close, "closing");
    closing.start();
    awaitStopOf(bus, closing);
    assertThat(closing.isAlive()).as("closing waits for the handler").isTrue();
    work.mayEnd.countDown();
    closing.join(TimeUnit.SECONDS.toMillis(AT_MOST_SECONDS));

    assertThat(closing.isAlive()).as("still closing").isFalse();
    assertThat(work.interrupted).as("the handler was interrupted").isFalse();
    assertThat(TestPostgres.seen(url, "SELECT order_id FROM shipment")).containsExactly("o-1");
    assertThat(TestPostgres.seen(url, "SELECT status FROM command")).containsExactly("COMPLETED");
    assertThat(TestPostgres.seen(url, "SELECT count(*) FROM outbox"))
        .as("its message")
        .containsExactly("1");
  }

  /** Until the bus has been told to stop: it takes nothing any more, and waits. */
  private static void awaitStopOf(CommandBus<?> bus, Thread closing) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(AT_MOST_SECONDS);
    while (bus.isRunning() && closing.isAlive()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("the bus was not stopped");
      }
      Thread.onSpinWait();
    }
  }

  /** Holds the handler. */
  static final class Work {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch mayEnd = new CountDownLatch(1);
    volatile boolean interrupted;

    void hold() {
      begun.countDown();
      try {
        boolean unused = mayEnd.await(AT_MOST_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException stopped) {
        interrupted = true;
        Thread.currentThread().interrupt();
      }
    }
  }

  record ShipCommand(String orderId) implements DomainCommand {}

  /** Its handler writes, is held, and appends last. */
  @Singleton
  @Requires(property = Beans.ASKED, pattern = ".*shipping.*")
  static class Shipping {
    private final Transactions<Connection> transactions;
    private final Outbox<Connection> outbox;
    private final Work work;

    Shipping(Transactions<Connection> transactions, Outbox<Connection> outbox, Work work) {
      this.transactions = transactions;
      this.outbox = outbox;
      this.work = work;
    }

    @Transactional
    public void ship(ShipCommand command) throws SQLException {
      try (Statement insert = transactions.current().orElseThrow().createStatement()) {
        insert.execute("INSERT INTO shipment VALUES ('%s')".formatted(command.orderId()));
      }
      work.hold();
      var unused =
          outbox.append(
              Message.event("Shipped").to("orders").key(command.orderId()).json("{}").build());
    }
  }
}
