package io.postroad.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.InsertManyOptions;
import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import io.postroad.store.DeadLetterFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.junit.jupiter.api.Test;

/**
 * Decision 18: with 100,000 documents due, as many dead and delivered and held by others, a verb
 * sorts nothing and looks at no more documents than it needs.
 */
class LayoutPlanTest {
  private static final int MANY = 100_000;
  private static final int FEW = 20_000;
  private static final int LIMIT = 100;

  @Test
  void recurringRules() {
    try (AdoptedDatabase database = AdoptedDatabase.recurringRules()) {
      String common =
          "aggregateType: 'R', aggregateId: 'R%1$d', eventType: 'E', payload: {n: %1$d},"
              + " targetTopic: 't', createdAt: {$date: {$numberLong: '%2$d'}}";
      fill(database, MANY, i -> "{%s, status: 'PENDING', nextRetryAt: null}", common);
      fill(
          database,
          FEW,
          i ->
              "{%s, status: 'PENDING', nextRetryAt: {$date: '"
                  + (i % 2 == 0 ? "2026" : "2126")
                  + "-01-01T00:00:00Z'}}",
          common);
      fill(database, FEW, i -> "{%s, status: 'FAILED', retryCount: 5}", common);
      fill(
          database,
          FEW,
          i -> "{%s, status: 'SENT', processedAt: {$date: '2126-01-01T00:00:00Z'}}",
          common);
      fill(
          database,
          FEW,
          i -> "{%s, status: 'PROCESSING', postroad_lease_until: {$date: '2126-01-01T00:00:00Z'}}",
          common);
      check(database, Layouts.recurringRules());
    }
  }

  @Test
  void brokerless() {
    try (AdoptedDatabase database = AdoptedDatabase.brokerless()) {
      String common =
          "stream: 's', aggregate_id: 'p%1$d', event_type: 'E', payload: {n: %1$d}, attempts: 1,"
              + " created_at: {$date: {$numberLong: '%2$d'}}";
      String past = "{$date: '2026-01-01T00:00:00Z'}";
      String future = "{$date: '2126-01-01T00:00:00Z'}";
      fill(database, MANY / 2, i -> "{%s, status: 'new', next_retry_at: " + past + "}", common);
      fill(database, MANY / 2, i -> "{%s, status: 'failed', next_retry_at: " + past + "}", common);
      fill(database, FEW, i -> "{%s, status: 'failed', next_retry_at: " + future + "}", common);
      fill(database, FEW, i -> "{%s, status: 'done', next_retry_at: " + past + "}", common);
      fill(database, FEW, i -> "{%s, status: 'dead', next_retry_at: " + past + "}", common);
      fill(
          database,
          FEW,
          i -> "{%s, status: 'processing', lease_owner: 'o', lease_until: " + future + "}",
          common);
      check(database, Layouts.brokerless());
    }
  }

  private static void fill(
      AdoptedDatabase database, int count, IntFunction<String> template, String common) {
    List<BsonDocument> documents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String fields = common.formatted(i, 1_700_000_000_000L + i);
      documents.add(
          BsonDocument.parse(template.apply(i).replace("%s", fields))
              .append("_id", new BsonObjectId()));
    }
    database.outbox().insertMany(documents, new InsertManyOptions().ordered(false));
  }

  private static void check(AdoptedDatabase database, Layout layout) {
    database.open(layout).close();
    Explained explained = new Explained(database.database());
    MongoOptions options =
        database
            .options()
            .withSchemaMode(SchemaMode.NONE)
            .withWakeUpMode(MongoOptions.WakeUpMode.LOCAL);
    try (MongoClient client =
            MongoClients.create(
                MongoClientSettings.builder()
                    .applyConnectionString(
                        new ConnectionString(MongoServer.shared().connectionString()))
                    .addCommandListener(explained)
                    .build());
        MongoCompetingStore store = MongoCompetingStore.open(client, options, layout)) {
      // The dead are taken in once, some with each pass.
      store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 1);
      explained.take();

      List<Claim> one = AdoptedDatabase.claim(store, 1);
      assertThat(one).hasSize(1);
      bounded(explained, 1);
      List<Claim> claims = AdoptedDatabase.claim(store, LIMIT);
      assertThat(claims).hasSize(LIMIT);
      assertThat(bounded(explained, LIMIT)).hasSizeGreaterThan(3);
      store.extend(claims, Duration.ofMinutes(5));
      bounded(explained, LIMIT);
      List<Settlement> settlements = new ArrayList<>();
      for (int i = 0; i < LIMIT; i += 2) {
        settlements.add(new Settlement.Delivered(claims.get(i)));
        settlements.add(new Settlement.Retry(claims.get(i + 1), Duration.ofHours(1), "again"));
      }
      assertThat(store.settle(settlements)).isEmpty();
      bounded(explained, LIMIT);
      store.purge(Duration.ofDays(1), LIMIT);
      bounded(explained, LIMIT);
      store.backlog();
      bounded(explained, 10_000);
      store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), LIMIT);
      bounded(explained, LIMIT);
      store.blockedDestinations();
      bounded(explained, 1);
    }
  }

  private static List<Explained.Plan> bounded(Explained explained, int limit) {
    // The box of moved dead letters is always empty here.
    List<Explained.Plan> plans =
        explained.take().stream()
            .filter(plan -> plan.command().contains("\"" + AdoptedDatabase.TABLE + "\""))
            .toList();
    assertThat(plans)
        .allSatisfy(
            plan -> {
              assertThat(plan.stages()).as(plan.command()).doesNotContain("SORT", "COLLSCAN");
              assertThat(plan.examined()).as(plan.command()).isLessThanOrEqualTo(limit + 1L);
            });
    return plans;
  }
}
