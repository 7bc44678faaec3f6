package io.postroad.example.payment.run;

import io.postroad.example.kit.Narrator;
import io.postroad.example.kit.Received;
import io.postroad.example.kit.Rows;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import java.sql.SQLException;
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

  /** What has arrived in the topic. */
  Received received() {
    return new Received(bootstrapServers(), TOPIC);
  }

  /** What is in the database of the application. */
  Rows rows() throws SQLException {
    return new Rows(database);
  }

  @Override
  public void close() {
    kafka.close();
    postgres.close();
  }
}
