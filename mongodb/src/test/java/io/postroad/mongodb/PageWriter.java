package io.postroad.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.postroad.message.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** A process that writes a page, and its message when it is told to: state first, outbox second. */
public final class PageWriter {
  public static final String WRITTEN = "the page is written";

  private PageWriter() {}

  /** Connection string, database, page. */
  public static void main(String[] args) throws IOException {
    MongoOptions options =
        MongoOptions.defaults()
            .withDatabase(args[1])
            .withTransactionMode(MongoOptions.TransactionMode.NONE);
    try (MongoClient client = MongoClients.create(args[0]);
        MongoCompetingStore store = MongoCompetingStore.open(client, options);
        ClientSession session = client.startSession()) {
      client
          .getDatabase(args[1])
          .getCollection("pages", BsonDocument.class)
          .insertOne(session, new BsonDocument("_id", new BsonString(args[2])));
      System.out.println(WRITTEN);
      var unused = System.in.read();
      store.append(session, List.of(changed(args[2])), Duration.ofHours(1));
    }
  }

  public static Message changed(String page) {
    return Message.event("PageChanged")
        .to("pages")
        .key(page)
        .id(UUID.nameUUIDFromBytes(page.getBytes(StandardCharsets.UTF_8)))
        .json("{}")
        .build();
  }
}
