package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import org.bson.Document;
import org.junit.jupiter.api.Test;

final class MongoReplicaSetTest {
  @Test
  void anotherMemberTakesOverAfterAStepDownAndAfterAKill() {
    try (MongoReplicaSet set = MongoServer.replicaSet(3)) {
      set.start();
      try (MongoClient client = MongoClients.create(set.connectionString())) {
        MongoCollection<Document> orders =
            client
                .getDatabase(set.freshDatabase("orders"))
                .getCollection("orders")
                .withWriteConcern(WriteConcern.MAJORITY);
        orders.insertOne(new Document("_id", 1));

        MongoServer first = set.primary();
        set.stepDown();
        MongoServer second = set.primary();
        assertThat(second).isNotSameAs(first);
        orders.insertOne(new Document("_id", 2));

        second.kill();
        assertThat(set.primary()).isNotSameAs(second);
        orders.insertOne(new Document("_id", 3));
        second.restart();
        assertThat(orders.countDocuments()).isEqualTo(3);
      }
    }
  }

  @Test
  void aSetOfSeveralHasAtLeastTwo() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MongoServer.replicaSet(1))
        .withMessageContaining("must have 2 to 7, got 1");
  }
}
