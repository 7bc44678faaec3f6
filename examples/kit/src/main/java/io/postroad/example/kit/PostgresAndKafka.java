package io.postroad.example.kit;

import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/** A PostgreSQL with the database of an application, and a Kafka broker with its topic. */
public final class PostgresAndKafka implements AutoCloseable {
  private final PostgresServer postgres;
  private final KafkaServer kafka;
  private final String database;
  private final String topic;

  private PostgresAndKafka(
      PostgresServer postgres, KafkaServer kafka, String database, String topic) {
    this.postgres = postgres;
    this.kafka = kafka;
    this.database = postgres.createDatabase(database);
    this.topic = topic;
  }

  /** Starts both servers at the same time. */
  public static PostgresAndKafka start(String database, String topic) {
    Narrator.say("Starting PostgreSQL and Kafka on this machine.");
    PostgresServer postgres = PostgresServer.create();
    KafkaServer kafka = KafkaServer.create();
    CompletableFuture.allOf(
            CompletableFuture.runAsync(postgres::start), CompletableFuture.runAsync(kafka::start))
        .join();
    return new PostgresAndKafka(postgres, kafka, database, topic);
  }

  /** Uses running servers, with a new database. The caller closes the servers. */
  public static PostgresAndKafka over(
      PostgresServer postgres, KafkaServer kafka, String database, String topic) {
    return new PostgresAndKafka(postgres, kafka, database, topic);
  }

  /** Returns the JDBC URL of the application's database. */
  public String jdbcUrl() {
    return database;
  }

  /** Returns the address of the broker. */
  public String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  /** Returns the name of the topic. */
  public String topic() {
    return topic;
  }

  /** Returns a reader of the topic. */
  public Received received() {
    return new Received(bootstrapServers(), topic);
  }

  /** Returns a reader of the application's database. */
  public Rows rows() throws SQLException {
    return new Rows(database);
  }

  @Override
  public void close() {
    kafka.close();
    postgres.close();
  }
}
