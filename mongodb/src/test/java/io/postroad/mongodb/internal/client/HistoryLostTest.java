package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.postroad.mongodb.MongoOptions;
import io.postroad.servers.MongoServer;
import io.postroad.servers.ServerOptions;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** A change stream whose place in the oplog is gone. */
class HistoryLostTest {
  private static final int CHANGE_STREAM_HISTORY_LOST = 286;

  @Test
  void lostHistoryBeginsTheStreamAnewAndCountsAsAHint() throws Exception {
    ServerOptions failing =
        ServerOptions.defaults().withSetting("setParameter.enableTestCommands", "true");
    try (MongoServer server = MongoServer.started(failing);
        MongoClient client = MongoClients.create(server.connectionString())) {
      MongoOptions options = MongoOptions.defaults().withDatabase(server.freshDatabase("lost"));
      SignalDocument here = new SignalDocument(new Database(client, options));
      SignalDocument there = new SignalDocument(new Database(client, options));
      Semaphore heard = new Semaphore(0);
      try (SignalListener listener = new SignalListener(here, heard::release)) {
        listener.start();
        sendUntilHeard(there, heard);
        heard.drainPermits();

        loseHistoryOnce(client);

        assertThat(heard.tryAcquire(60, TimeUnit.SECONDS)).as("the gap is a hint").isTrue();
        heard.drainPermits();
        sendUntilHeard(there, heard);
      }
    }
  }

  private static void loseHistoryOnce(MongoClient client) {
    client
        .getDatabase("admin")
        .runCommand(
            new Document("configureFailPoint", "failCommand")
                .append("mode", new Document("times", 1))
                .append(
                    "data",
                    new Document("failCommands", List.of("getMore"))
                        .append("errorCode", CHANGE_STREAM_HISTORY_LOST)
                        .append("errorLabels", List.of())));
  }

  private static void sendUntilHeard(SignalDocument signal, Semaphore heard) throws Exception {
    for (int i = 0; i < 60; i++) {
      signal.send();
      if (heard.tryAcquire(1, TimeUnit.SECONDS)) {
        return;
      }
    }
    throw new AssertionError("60 hints, none of them heard by the other node");
  }
}
