package io.postroad.example.payment.run;

import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import java.util.concurrent.CompletableFuture;

/** A PostgreSQL and a Kafka broker of this run. */
final class Servers implements AutoCloseable {
  static final String TOPIC = "payment.approved";

  private final PostgresServer postgres;
  private final KafkaServer kafka;
  private final String database;

  private Servers(PostgresServer postgres, KafkaServer kafka) {
    this.postgres = postgres;
    this.kafka = kafka;
    this.database = postgres.createDatabase("payments");
  }

  static Servers start() {
    Narrator.say("Starting PostgreSQL and Kafka on this machine.");
    PostgresServer postgres = PostgresServer.create();
    KafkaServer kafka = KafkaServer.create();
    CompletableFuture.allOf(
            CompletableFuture.runAsync(postgres::start), CompletableFuture.runAsync(kafka::start))
        .join();
    return new Servers(postgres, kafka);
  }

  /** Over servers that run, with a database of its own in them. Whoever gives them closes them. */
  static Servers over(PostgresServer postgres, KafkaServer kafka) {
    return new Servers(postgres, kafka);
  }

  /** Of the database of the application. */
  String jdbcUrl() {
    return database;
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  @Override
  public void close() {
    kafka.close();
    postgres.close();
  }
}
