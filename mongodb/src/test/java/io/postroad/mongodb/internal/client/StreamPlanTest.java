package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.InsertManyOptions;
import io.postroad.layout.Layouts;
import io.postroad.message.Message;
import io.postroad.mongodb.AdoptedDatabase;
import io.postroad.mongodb.Explained;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.internal.queue.QueueDocument;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.junit.jupiter.api.Test;

/** With 100,000 due elsewhere, and for longer, a claim of one stream looks at its own only. */
class StreamPlanTest {
  private static final int ELSEWHERE = 100_000;
  private static final int HERE = 1_000;
  private static final int LIMIT = 100;
  private static final long LONG_AGO = 1_700_000_000_000L;

  @Test
  void ofTheQueue() {
    try (TestDatabase database = TestDatabase.withStreams("stream_plans")) {
      MongoCollection<BsonDocument> outbox = database.collection(Names.OUTBOX);
      fill(outbox, ELSEWHERE, i -> message("media", LONG_AGO + i));
      fill(outbox, HERE, i -> message("wiki", LONG_AGO + ELSEWHERE + i));

      check(
          database.client().getDatabase(database.options().database()),
          client -> MongoCompetingStore.open(client, local(database.options())),
          "outbox_stream_idx");
    }
  }

  @Test
  void ofACollectionThatATeamHas() {
    try (AdoptedDatabase database = AdoptedDatabase.brokerless()) {
      fill(database.outbox(), ELSEWHERE / 2, i -> document("media", "new", LONG_AGO + i));
      fill(database.outbox(), ELSEWHERE / 2, i -> document("media", "failed", LONG_AGO + i));
      fill(database.outbox(), HERE / 2, i -> document("wiki", "new", LONG_AGO + ELSEWHERE + i));
      fill(database.outbox(), HERE / 2, i -> document("wiki", "failed", LONG_AGO + ELSEWHERE + i));
      fill(database.outbox(), ELSEWHERE, i -> expired("media", LONG_AGO + i));
      MongoOptions options = database.options().withStreams(true);
      database.open(Layouts.brokerless(), options).close();

      check(
          database.database(),
          client ->
              MongoCompetingStore.open(
                  client, local(options).withSchemaMode(SchemaMode.NONE), Layouts.brokerless()),
          "postroad_stream_idx",
          "postroad_stream_lease_idx");
    }
  }

  private static void check(
      MongoDatabase database, Function<MongoClient, MongoCompetingStore> open, String... indexes) {
    Explained explained = new Explained(database);
    try (MongoClient client =
            MongoClients.create(
                MongoClientSettings.builder()
                    .applyConnectionString(
                        new ConnectionString(MongoServer.shared().connectionString()))
                    .addCommandListener(explained)
                    .build());
        MongoCompetingStore store = open.apply(client)) {
      for (int limit : List.of(1, LIMIT)) {
        explained.take();
        assertThat(claim(store, limit)).hasSize(limit);
        assertThat(bounded(explained, limit))
            .flatExtracting(Explained.Plan::indexes)
            .contains(indexes);
      }
    }
  }

  private static List<Claim> claim(MongoCompetingStore store, int limit) {
    return store.claim(new ClaimRequest("node", limit, Duration.ofMinutes(1)).of("wiki"));
  }

  private static List<Explained.Plan> bounded(Explained explained, int limit) {
    List<Explained.Plan> plans = explained.take();
    assertThat(plans)
        .isNotEmpty()
        .allSatisfy(
            plan -> {
              assertThat(plan.stages()).as(plan.command()).doesNotContain("SORT", "COLLSCAN");
              assertThat(plan.examined()).as(plan.command()).isLessThanOrEqualTo(limit + 1L);
              assertThat(plan.keys()).as(plan.command()).isLessThanOrEqualTo(2L * limit + 5);
            });
    return plans;
  }

  private static MongoOptions local(MongoOptions options) {
    return options.withWakeUpMode(MongoOptions.WakeUpMode.LOCAL);
  }

  private static void fill(
      MongoCollection<BsonDocument> outbox, int count, IntFunction<BsonDocument> maker) {
    List<BsonDocument> documents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      documents.add(maker.apply(i));
    }
    outbox.insertMany(documents, new InsertManyOptions().ordered(false));
  }

  private static BsonDocument message(String destination, long at) {
    return QueueDocument.fresh(
        Message.event("Counted").to(destination).json("{}").build(), new BsonDateTime(at));
  }

  private static BsonDocument expired(String stream, long at) {
    return document(stream, "processing", at).append("lease_until", new BsonDateTime(at));
  }

  private static BsonDocument document(String stream, String status, long at) {
    return BsonDocument.parse(
            "{stream: '%s', status: '%s', event_type: 'E', aggregate_id: 'p', payload: {}, attempts: 1}"
                .formatted(stream, status))
        .append("_id", new BsonObjectId())
        .append("next_retry_at", new BsonDateTime(at))
        .append("created_at", new BsonDateTime(at));
  }
}
