package io.postroad.example.rules.run;

import io.postroad.example.kit.Narrator;
import io.postroad.example.kit.Received;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.MongoServer;
import io.postroad.servers.ServerOptions;
import java.util.concurrent.CompletableFuture;

/** The MongoDB and the Kafka broker of this run. */
final class Servers implements AutoCloseable {
  static final String TOPIC = "recurring_rules";

  /**
   * Shortens transactions, because MongoDB does not notice a dead client, and its open transaction
   * blocks others.
   */
  private static final ServerOptions SHORT_TRANSACTIONS =
      ServerOptions.defaults().withSetting("setParameter.transactionLifetimeLimitSeconds", "5");

  private final MongoServer mongo;
  private final KafkaServer kafka;
  private final String database;

  private Servers(MongoServer mongo, KafkaServer kafka, String database) {
    this.mongo = mongo;
    this.kafka = kafka;
    this.database = database;
  }

  static Servers start() {
    Narrator.say("Starting MongoDB and Kafka on this machine.");
    MongoServer mongo = MongoServer.create(SHORT_TRANSACTIONS);
    KafkaServer kafka = KafkaServer.create();
    CompletableFuture.allOf(
            CompletableFuture.runAsync(mongo::start), CompletableFuture.runAsync(kafka::start))
        .join();
    return new Servers(mongo, kafka, "vidulum");
  }

  /** Uses running servers, with a new database. The caller closes the servers. */
  static Servers over(MongoServer mongo, KafkaServer kafka) {
    return new Servers(mongo, kafka, mongo.freshDatabase("vidulum"));
  }

  String mongoUri() {
    return mongo.connectionString();
  }

  /** Returns the name of the application's database. */
  String database() {
    return database;
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  /** Returns a reader of the topic. */
  Received received() {
    return new Received(bootstrapServers(), TOPIC);
  }

  /** Returns a reader of the application's database. */
  Documents documents() {
    return new Documents(mongoUri(), database);
  }

  @Override
  public void close() {
    kafka.close();
    mongo.close();
  }
}
