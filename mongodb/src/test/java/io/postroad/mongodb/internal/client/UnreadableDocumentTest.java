package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.mongodb.OrderedDatabase;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents of the log that someone has edited into something that is no message. */
final class UnreadableDocumentTest {

  /** It becomes a dead letter, and neither its lane nor its key waits for it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{$unset: {payload: ''}}",
        "{$unset: {message_id: ''}}",
        "{$set: {destination: 7}}",
        "{$set: {headers: 'none'}}",
        "{$set: {headers: [{k: 1, v: 2}]}}",
        "{$set: {category: 'nonsense'}}",
        "{$set: {schema_version: 'one'}}",
        "{$set: {message_id: {$binary: {base64: 'AAAA', subType: '00'}}}}",
        "{$set: {message_id: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAA==', subType: '00'}}}}",
        "{$set: {message_id: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAA==', subType: '03'}}}}",
        "{$set: {message_id: {$binary: {base64: 'AAAA', subType: '04'}}}}"
      })
  void isADeadLetterThatTheLanePasses(String edit) {
    try (OrderedDatabase database = OrderedDatabase.fresh("unreadable")) {
      database.reset(1);
      try (MongoOrderedStore store = database.open()) {
        Message next = OrderedDatabase.message("k");
        database.append(store, OrderedDatabase.message("k"), next);
        database
            .collection(Names.LOG)
            .updateOne(BsonDocument.parse("{_id: {$numberLong: '1'}}"), BsonDocument.parse(edit));
        LaneLease lease = store.lanes().take(0, "node", Duration.ofMinutes(1)).orElseThrow();

        LaneBatch batch = store.log().read(lease, lease.position(), 10);
        store.log().advance(lease, batch.end(), List.of());

        assertThat(batch.entries()).extracting(LaneEntry::message).containsExactly(next);
        assertThat(store.backlog().dead()).isEqualTo(1);
        assertThat(store.backlog().pending()).isZero();
      }
    }
  }
}
