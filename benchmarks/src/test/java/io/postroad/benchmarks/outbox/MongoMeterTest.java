package io.postroad.benchmarks.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.postroad.servers.MongoServer;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MongoMeterTest {
  private static final int TEXT = 10_000;

  private final StatementCount commands = new StatementCount();
  private final MongoClient client =
      MongoClients.create(
          MongoClientSettings.builder()
              .applyConnectionString(new ConnectionString(MongoServer.shared().connectionString()))
              .addCommandListener(new CommandCounter(commands))
              .build());
  private final MongoDatabase database =
      client.getDatabase(MongoServer.shared().freshDatabase("meter"));
  private final MongoCollection<Document> things = database.getCollection("things");

  @AfterEach
  void disconnect() {
    client.close();
  }

  @Test
  void everyCommandCountsExceptThoseOfWriters() throws Exception {
    things.insertOne(new Document());
    things.countDocuments();
    assertThat(commands.total()).isEqualTo(2);

    commands.leaveOut(() -> things.insertOne(new Document()));
    assertThat(commands.total()).isEqualTo(2);
  }

  @Test
  void theBytesOfTheOplogAddUp() {
    database.createCollection("things");
    MongoMeter meter = new MongoMeter(client, commands);
    assertThat(meter.logBytes()).isLessThan(TEXT);

    things.insertOne(new Document("text", "x".repeat(TEXT)));
    long one = meter.logBytes();
    assertThat(one).isBetween((long) TEXT, 2L * TEXT - 1);
    things.insertOne(new Document("text", "x".repeat(TEXT)));

    assertThat(meter.logBytes()).isBetween(one + TEXT, one + 2 * TEXT - 1);
  }

  @Test
  void transactionsCountWhetherTheyCommitOrNot() {
    database.createCollection("things");
    MongoMeter meter = new MongoMeter(client, commands);
    long before = meter.transactions();

    try (ClientSession session = client.startSession()) {
      session.startTransaction();
      things.insertOne(session, new Document());
      session.abortTransaction();
      session.startTransaction();
      things.insertOne(session, new Document());
      session.commitTransaction();
    }
    things.insertOne(new Document());

    assertThat(meter.transactions() - before).isEqualTo(2);
  }
}
