package io.postroad.example.wiki.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.postroad.example.kit.Application;
import io.postroad.servers.MongoServer;
import java.time.Duration;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks the result of bin/example --smoke for an application in its own process. */
class SmokeRunTest {
  private static final Servers SERVERS = Servers.over(MongoServer.shared());

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
  void aWorkingApplicationPasses() throws Exception {
    assertThat(new SmokeRun(SERVERS).holds(service)).isTrue();
  }

  /** Edits are answered and stored, but snapshots cannot be written. */
  @Test
  void anApplicationThatRendersNothingFails() throws Exception {
    validateSnapshots(new Document("impossible", new Document("$exists", true)));
    try {
      assertThat(new SmokeRun(SERVERS, Duration.ofMillis(100)).holds(service)).isFalse();
    } finally {
      validateSnapshots(new Document());
    }
  }

  private static void validateSnapshots(Document validator) {
    try (MongoClient client = MongoClients.create(SERVERS.uri())) {
      var unused =
          client
              .getDatabase(SERVERS.database())
              .runCommand(new Document("collMod", "page_snapshots").append("validator", validator));
    }
  }
}
