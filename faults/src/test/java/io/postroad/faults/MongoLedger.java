package io.postroad.faults;

import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import io.postroad.message.Message;
import java.util.List;
import java.util.Set;
import org.bson.BsonBinary;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The collections {@code account} and {@code booking}. Of two transactions that count the same
 * account, MongoDB undoes one, and it is run again.
 */
final class MongoLedger implements Ledger<ClientSession> {
  static final String BOOKING = "booking";

  private final MongoCollection<Document> accounts;
  private final MongoCollection<Document> bookings;

  /**
   * @param database with the client that transactions are of
   */
  MongoLedger(MongoDatabase database) {
    this.accounts = database.getCollection("account").withWriteConcern(WriteConcern.MAJORITY);
    this.bookings = database.getCollection(BOOKING);
  }

  @Override
  public void openAccounts(Set<String> names) {
    for (String name : names) {
      accounts.updateOne(
          new Document("_id", name),
          new Document("$setOnInsert", new Document("bookings", 0)),
          new UpdateOptions().upsert(true));
    }
  }

  @Override
  public int count(ClientSession session, String account) {
    @Nullable Document counted =
        accounts.findOneAndUpdate(
            session,
            new Document("_id", account),
            new Document("$inc", new Document("bookings", 1)),
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER));
    if (counted == null) {
      throw new AssertionError("account " + account + " is gone");
    }
    return counted.getInteger("bookings");
  }

  @Override
  public void insert(ClientSession session, List<Message> events) {
    bookings.insertMany(
        session,
        events.stream()
            .map(
                event ->
                    new Document("_id", new BsonBinary(event.id()))
                        .append("account", event.key().orElseThrow()))
            .toList());
  }
}
