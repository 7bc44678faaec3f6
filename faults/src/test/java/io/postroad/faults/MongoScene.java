package io.postroad.faults;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.event.CommandListener;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.MongoServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;

/** A scene in MongoDB. What it asks is what a majority of the servers has. */
final class MongoScene extends Scene {
  private final MongoAddress address;
  private final MongoClient client;
  private final MongoDatabase database;
  private final List<OpenOutbox<?>> outboxes = new CopyOnWriteArrayList<>();

  private MongoScene(StoreKind kind, MongoAddress address, String bootstrapServers, String topic) {
    super(kind, bootstrapServers, topic);
    Length.needs(Product.MONGODB);
    this.address = address;
    this.client = address.connect("scene");
    this.database =
        client
            .getDatabase(address.database())
            .withReadConcern(ReadConcern.MAJORITY)
            .withWriteConcern(WriteConcern.MAJORITY);
    outboxes.add(address.open(kind, address.connect("schema"), SchemaMode.MIGRATE));
    database.createCollection(MongoLedger.BOOKING);
  }

  static MongoScene of(StoreKind kind, MongoServer mongo, KafkaServer kafka) {
    return of(
        kind, new MongoAddress(mongo.connectionString(), mongo.freshDatabase("faults")), kafka);
  }

  static MongoScene of(StoreKind kind, MongoAddress address, KafkaServer kafka) {
    String topic = newTopic();
    kafka.createTopic(topic, PARTITIONS);
    return new MongoScene(kind, address, kafka.bootstrapServers(), topic);
  }

  @Override
  DatabaseAddress database() {
    return address;
  }

  /** The same database as one server alone has it. */
  MongoAddress on(MongoServer member) {
    return new MongoAddress(member.connectionString(), address.database());
  }

  /** With a client and a store of its own, as another process would have them. */
  @Override
  Bookings<ClientSession> bookings() {
    return bookings(address.connect("service"));
  }

  /**
   * @param listener hears of every command of its client before the driver goes on
   */
  Bookings<ClientSession> bookings(CommandListener listener) {
    return bookings(address.connect("service", listener));
  }

  private Bookings<ClientSession> bookings(MongoClient ofService) {
    OpenOutbox<ClientSession> outbox = address.open(kind(), ofService, SchemaMode.VERIFY);
    outboxes.add(outbox);
    return new Bookings<>(
        outbox.store(), new MongoLedger(ofService.getDatabase(address.database())), topic());
  }

  private MongoCollection<BsonDocument> collection(String name) {
    return database.getCollection(name, BsonDocument.class);
  }

  @Override
  long delivered() {
    return kind() == StoreKind.ORDERED
        ? laneDocument().getNumber("head").longValue()
        : collection("outbox").countDocuments(Filters.eq("status", "done"));
  }

  @Override
  long unfinished() {
    if (kind() == StoreKind.COMPETING) {
      return collection("outbox").countDocuments(Filters.nin("status", "done", "dead"));
    }
    BsonDocument lane = laneDocument();
    List<Bson> unread = new ArrayList<>();
    unread.add(Filters.gt("_id", lane.getNumber("head").longValue()));
    List<Long> gaps =
        lane.getArray("gaps").stream().map(bound -> bound.asNumber().longValue()).toList();
    for (int i = 0; i < gaps.size(); i += 2) {
      unread.add(Filters.and(Filters.gte("_id", gaps.get(i)), Filters.lte("_id", gaps.get(i + 1))));
    }
    return collection("outbox_log")
            .countDocuments(Filters.and(Filters.exists("void", false), Filters.or(unread)))
        + collection("outbox_held").countDocuments(Filters.ne("status", "FAILED"));
  }

  @Override
  Set<UUID> committed() {
    return ids(MongoLedger.BOOKING, "_id", Filters.empty());
  }

  @Override
  Set<UUID> dead() {
    return kind() == StoreKind.ORDERED
        ? ids("outbox_held", "message_id", Filters.eq("status", "FAILED"))
        : ids("outbox", "_id", Filters.eq("status", "dead"));
  }

  private Set<UUID> ids(String name, String field, Bson filter) {
    Set<UUID> ids = new HashSet<>();
    collection(name).find(filter).forEach(document -> ids.add(document.getBinary(field).asUuid()));
    return ids;
  }

  @Override
  long leasedBy(String relay) {
    return collection("outbox")
        .countDocuments(
            Filters.and(Filters.eq("status", "processing"), Filters.eq("lease_owner", relay)));
  }

  @Override
  Lane lane() {
    BsonDocument lane = laneDocument();
    return new Lane(
        lane.isString("node") ? lane.getString("node").getValue() : "",
        lane.getNumber("epoch").longValue());
  }

  /** A new epoch takes the document over. */
  @Override
  List<String> positionsOf(long epoch) {
    BsonDocument lane = laneDocument();
    return lane.getNumber("epoch").longValue() == epoch ? List.of(lane.toJson()) : List.of();
  }

  @Override
  ChangeWatch watch() {
    return MongoWatch.start(database);
  }

  /** The one lane, whose tickets are the ids of its documents. */
  private BsonDocument laneDocument() {
    BsonDocument lane = collection("outbox_lane").find(Filters.eq("_id", 0)).first();
    if (lane == null) {
      throw new AssertionError("the outbox has no lane 0");
    }
    return lane;
  }

  @Override
  String statuses() {
    try {
      if (kind() == StoreKind.ORDERED) {
        return laneDocument() + ", unfinished: " + unfinished();
      }
      return collection("outbox")
          .aggregate(List.of(Aggregates.group("$status", Accumulators.sum("count", 1))))
          .into(new ArrayList<>())
          .toString();
    } catch (MongoException unreachable) {
      return unreachable.toString();
    }
  }

  @Override
  public void close() throws Exception {
    for (OpenOutbox<?> outbox : outboxes) {
      outbox.close();
    }
    client.close();
  }
}
