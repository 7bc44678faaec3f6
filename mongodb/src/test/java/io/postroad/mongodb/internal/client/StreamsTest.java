package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.postroad.layout.Fallback;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;
import io.postroad.mongodb.AdoptedDatabase;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoSchema;
import io.postroad.mongodb.internal.schema.SchemaSteps;
import io.postroad.schema.SchemaException;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.ClaimRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** The indexes for claims of one destination are there for those who ask for them. */
class StreamsTest {
  private static final ClaimRequest WIKI =
      new ClaimRequest("node", 1, Duration.ofMinutes(1)).of("wiki");

  @Test
  void withoutTheOptionAClaimOfAStreamSaysHowToOpenTheStore() {
    try (TestDatabase database = TestDatabase.migrated("streams");
        MongoCompetingStore store = database.open()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> store.claim(WIKI))
          .withMessageContaining("wiki")
          .withMessageContaining("MongoOptions.withStreams(true)")
          .withMessageContaining("SchemaMode.MIGRATE");
      assertThat(indexes(database)).doesNotContain("outbox_stream_idx");
    }
  }

  @Test
  void migrateAddsTheIndexToASchemaThatIsUpToDateAndVerifyMissesIt() {
    try (TestDatabase database = TestDatabase.migrated("streams")) {
      MongoOptions options = database.options().withStreams(true);
      assertThatExceptionOfType(SchemaException.class)
          .isThrownBy(() -> database.open(options.withSchemaMode(SchemaMode.VERIFY)))
          .withMessageContaining("MongoOptions.streams")
          .withMessageContaining("outbox_stream_idx");

      try (MongoCompetingStore store = database.open(options.withSchemaMode(SchemaMode.MIGRATE))) {
        assertThat(store.claim(WIKI)).isEmpty();
      }
      database.open(options.withSchemaMode(SchemaMode.VERIFY)).close();
      assertThat(indexes(database)).contains("outbox_stream_idx");
    }
  }

  @Test
  void theScriptHasTheIndexForThoseWhoAskForIt() {
    try (TestDatabase database = TestDatabase.empty("streams")) {
      MongoOptions options = database.options().withStreams(true);
      assertThat(new MongoSchema(database.client(), database.options()).script())
          .doesNotContain("outbox_stream_idx");

      SchemaSteps.commands(new MongoSchema(database.client(), options).script())
          .forEach(
              command -> database.client().getDatabase(options.database()).runCommand(command));

      database.open(options.withSchemaMode(SchemaMode.VERIFY)).close();
    }
  }

  @Test
  void anAdoptedCollectionGetsTwoIndexes() {
    try (AdoptedDatabase database = AdoptedDatabase.brokerless()) {
      Layout layout = Layouts.brokerless();
      MongoOptions options = database.options().withStreams(true);
      database.open(layout).close();
      assertThatExceptionOfType(SchemaException.class)
          .isThrownBy(() -> database.open(layout, options.withSchemaMode(SchemaMode.VERIFY)))
          .withMessageContaining("postroad_stream_idx")
          .withMessageContaining("postroad_stream_lease_idx");

      database.open(layout, options.withSchemaMode(SchemaMode.MIGRATE)).close();

      database.open(layout, options.withSchemaMode(SchemaMode.VERIFY)).close();
    }
  }

  @Test
  void aLayoutThatMakesTheDestinationOfOtherFieldsHasNoStreams() {
    try (AdoptedDatabase database = AdoptedDatabase.recurringRules()) {
      Layout layout = Layouts.recurringRules().with(Field.DESTINATION, Fallback.to("rules"));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> database.open(layout, database.options().withStreams(true)))
          .withMessageContaining("Field.DESTINATION");
    }
  }

  private static List<String> indexes(TestDatabase database) {
    return database
        .collection(Names.OUTBOX)
        .listIndexes(BsonDocument.class)
        .map(index -> index.getString("name").getValue())
        .into(new ArrayList<>());
  }
}
