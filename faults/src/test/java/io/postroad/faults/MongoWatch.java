package io.postroad.faults;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;

/** By the profiler, which knows the application's name. */
final class MongoWatch implements ChangeWatch {
  private static final long KEPT_BYTES = 64L * 1024 * 1024;
  private static final List<String> COUNTS =
      List.of("nModified", "ninserted", "ndeleted", "nUpserted");

  private final MongoCollection<Document> profile;
  private final String heartbeats;
  private int seen;

  private MongoWatch(MongoDatabase database) {
    this.profile = database.getCollection("system.profile");
    this.heartbeats = database.getName() + ".outbox_node";
  }

  static MongoWatch start(MongoDatabase database) {
    database.runCommand(
        new Document("create", "system.profile").append("capped", true).append("size", KEPT_BYTES));
    database.runCommand(
        new Document("profile", 2)
            .append("filter", new Document("appName", new Document("$regex", "^relay-"))));
    return new MongoWatch(database);
  }

  @Override
  public List<String> changesBy(String relay) {
    List<String> changes = new ArrayList<>();
    all().stream()
        .skip(seen)
        .filter(change -> relay.equals(change.getString("appName")))
        .map(Document::toJson)
        .forEach(changes::add);
    return changes;
  }

  @Override
  public void forget() {
    seen = all().size();
  }

  /** Every change, in the order in which they ended. */
  private List<Document> all() {
    List<Bson> changed = COUNTS.stream().map(count -> Filters.gt(count, 0)).toList();
    return profile
        .find(Filters.and(Filters.ne("ns", heartbeats), Filters.or(changed)))
        .into(new ArrayList<>());
  }
}
