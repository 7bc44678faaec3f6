package io.postroad.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.message.JsonCodec;
import io.postroad.outbox.OutboxRelay;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import io.postroad.spi.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** One run of the demo with servers, service, relay and consumer. */
final class DemoRun {
  private static final int PARTITIONS = 3;
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private final DemoPlan plan;
  private final Narrator narrator;
  private final Ledger ledger = new Ledger();
  private final JsonCodec json = JacksonJsonCodec.create();

  DemoRun(DemoPlan plan, Narrator narrator) {
    this.plan = plan;
    this.narrator = narrator;
  }

  /** Runs the demo and returns the final counts. */
  Counts run() throws SQLException, InterruptedException {
    narrator.say("Starting a PostgreSQL and a Kafka broker on this machine, nothing else needed.");
    try (PostgresServer postgres = PostgresServer.create();
        KafkaServer kafka = KafkaServer.create()) {
      CompletableFuture.allOf(
              CompletableFuture.runAsync(postgres::start), CompletableFuture.runAsync(kafka::start))
          .join();
      kafka.createTopic(OrderService.TOPIC, PARTITIONS);
      try (HikariDataSource pool = pool(postgres.createDatabase("demo"))) {
        createOrdersTable(pool);
        playOver(pool, kafka);
      }
      return verdict();
    }
  }

  /** Opens a store, a sender and a relay between them, as a service does when it starts. */
  private void playOver(HikariDataSource pool, KafkaServer kafka) throws InterruptedException {
    PostgresOptions migrating = PostgresOptions.defaults().withSchemaMode(SchemaMode.MIGRATE);
    KafkaSenderOptions toKafka = KafkaSenderOptions.of(kafka.bootstrapServers());
    try (OrderConsumer consumer = OrderConsumer.start(kafka.bootstrapServers(), json, ledger);
        PostgresOrderedStore store = PostgresOrderedStore.open(pool, migrating);
        KafkaSender sender = KafkaSender.create(toKafka);
        OutboxRelay relay = OutboxRelay.builder(store, sender).observer(ledger).build();
        Progress progress = Progress.start(ledger, narrator)) {
      relay.start();
      story(store, kafka);
    }
  }

  private void story(OutboxStore<Connection> store, KafkaServer kafka) throws InterruptedException {
    OrderService orders = new OrderService(store, json);
    narrator.say(
        "Orders flow: %d a second, each with its event in one transaction; one in %d is rolled back."
            .formatted(plan.ordersPerSecond(), plan.rollBackEvery()));
    OrderLoad load = OrderLoad.start(orders, store.transactions(), ledger, plan);
    Thread.sleep(plan.calm().toMillis());

    narrator.say("Stopping the broker. The service does not notice; the outbox grows.");
    kafka.stop();
    Thread.sleep(plan.outage().toMillis());

    narrator.say("Starting the broker again, on its old data.");
    kafka.start();
    narrator.say("The broker is back. The relay drains the backlog while orders go on.");
    Thread.sleep(plan.recovery().toMillis());

    load.stop();
    narrator.say("No more orders. Waiting until the outbox is empty.");
    awaitDrained(store);
  }

  /** Waits until the outbox is empty: then each event has arrived, or is lost. */
  private void awaitDrained(OutboxStore<Connection> store) throws InterruptedException {
    long deadline = System.nanoTime() + plan.drainWithin().toNanos();
    while (store.backlog().pending() > 0 && System.nanoTime() - deadline < 0) {
      Thread.sleep(LOOK_EVERY.toMillis());
    }
  }

  private Counts verdict() {
    Counts counts = ledger.atTheEnd();
    narrator.say("");
    ledger.missing(5).forEach(event -> narrator.say("missing: event " + event));
    narrator.say(
        counts.ok()
            ? "OK: every committed order arrived, in order for its customer; none of the %d that were rolled back did."
                .formatted(counts.rolledBack())
            : "FAILED: %d committed orders did not arrive, %d that were not committed did, %d came out of order."
                .formatted(counts.lost(), counts.phantoms(), counts.outOfOrder()));
    narrator.say(counts.summary());
    return counts;
  }

  private static HikariDataSource pool(String jdbcUrl) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(jdbcUrl);
    config.setMaximumPoolSize(8);
    return new HikariDataSource(config);
  }

  private static void createOrdersTable(HikariDataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement create = connection.createStatement()) {
      create.execute(
          """
          CREATE TABLE orders (
            id       uuid    PRIMARY KEY,
            customer text    NOT NULL,
            number   integer NOT NULL,
            cents    bigint  NOT NULL)
          """);
    }
  }
}
