package io.postroad.example.rules.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.postroad.example.kit.Application;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.MongoServer;
import java.time.Duration;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Checks the result of bin/example --smoke for an application in its own process. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class) // the broken application leaves rules behind
class SmokeRunTest {
  private static final Servers SERVERS = Servers.over(MongoServer.shared(), ownBroker());

  @SuppressWarnings("NullAway.Init")
  private static Service service;

  @BeforeAll
  static void start() {
    service = Service.start(SERVERS, Application.freePort());
  }

  @AfterAll
  static void end() {
    service.close();
  }

  @Test
  @Order(1)
  void aWorkingApplicationPasses() throws Exception {
    assertThat(new SmokeRun(SERVERS).holds(service)).isTrue();
  }

  /** Rules are created and executed, but no rule can be completed. */
  @Test
  void anApplicationWithRulesThatNeverEndFails() throws Exception {
    try (MongoClient client = MongoClients.create(SERVERS.mongoUri())) {
      MongoDatabase database = client.getDatabase(SERVERS.database());
      validate(database, Document.parse("{status: {$ne: 'COMPLETED'}}"));
      try {
        assertThat(new SmokeRun(SERVERS, Duration.ofSeconds(1)).holds(service)).isFalse();
      } finally {
        validate(database, new Document());
      }
    }
  }

  private static void validate(MongoDatabase database, Document validator) {
    Document unused =
        database.runCommand(
            new Document("collMod", "recurring_rules").append("validator", validator));
  }

  /**
   * Starts its own broker, because other tests publish rules with the same numbers on the shared
   * one.
   */
  private static KafkaServer ownBroker() {
    KafkaServer broker = KafkaServer.create();
    broker.start();
    return broker;
  }
}
