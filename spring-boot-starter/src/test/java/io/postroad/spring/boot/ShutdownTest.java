package io.postroad.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandRequest;
import io.postroad.command.DomainCommand;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * What is in flight when the application is closed is finished: its rows and its message are there.
 */
class ShutdownTest {
  private static final long AT_MOST_SECONDS = 60;

  @Test
  void aHandlerInFlightFinishesItsWork() throws Exception {
    String url = PostgresServer.shared().createDatabase("shutdown");
    Work work = new Work();
    ConfigurableApplicationContext application =
        new SpringApplicationBuilder(Application.class)
            .initializers(
                context -> {
                  context.getBeanFactory().registerSingleton("sender", new RecordingSender());
                  context.getBeanFactory().registerSingleton("work", work);
                })
            .properties(
                "spring.datasource.url=" + url,
                "spring.datasource.hikari.minimum-idle=0",
                "postroad.store.type=postgres",
                "postroad.store.schema-mode=migrate",
                "spring.main.banner-mode=off")
            .run();
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
    assertThat(rows(url, "SELECT order_id FROM shipment")).containsExactly("o-1");
    assertThat(rows(url, "SELECT status FROM command")).containsExactly("COMPLETED");
    assertThat(rows(url, "SELECT count(*) FROM outbox")).as("its message").containsExactly("1");
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

  private static List<String> rows(String url, String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      List<String> rows = new ArrayList<>();
      while (result.next()) {
        rows.add(result.getString(1));
      }
      return rows;
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

  /** A command. */
  public record ShipCommand(String orderId) implements DomainCommand {}

  @EnableAutoConfiguration
  static class Application {

    @Bean
    Shipping shipping(JdbcTemplate jdbc, Outbox<Connection> outbox, Work work) {
      jdbc.execute("CREATE TABLE shipment (order_id text PRIMARY KEY)");
      return new Shipping(jdbc, outbox, work);
    }
  }

  /** Its handler: writes, is held, and appends last. */
  static class Shipping {
    private final JdbcTemplate jdbc;
    private final Outbox<Connection> outbox;
    private final Work work;

    Shipping(JdbcTemplate jdbc, Outbox<Connection> outbox, Work work) {
      this.jdbc = jdbc;
      this.outbox = outbox;
      this.work = work;
    }

    @Transactional
    public void ship(ShipCommand command) {
      jdbc.update("INSERT INTO shipment VALUES (?)", command.orderId());
      work.hold();
      var unused =
          outbox.append(
              Message.event("Shipped").to("orders").key(command.orderId()).json("{}").build());
    }
  }
}
