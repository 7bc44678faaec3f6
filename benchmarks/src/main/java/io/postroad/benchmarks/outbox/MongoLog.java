package io.postroad.benchmarks.outbox;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;
import org.bson.Document;

/**
 * A log on MongoDB: documents are only inserted, at positions of a counter.
 *
 * <p>The counter is outside of the transaction, so that writers do not conflict on it, and does not
 * wait for a majority: an election ends the transaction, which has written its order before it
 * draws a position. So draw and commit are in the log of one primary, one after the other.
 */
final class MongoLog implements LimitContender.Design {
  private static final String COUNTER = "counter";
  private static final String VALUE = "value";

  private final MongoArena arena;
  private final MongoCollection<MongoRow> outbox;
  private final Draw draw;

  /** Raises the counter and returns its new value. */
  @FunctionalInterface
  private interface Draw {
    Document draw(MongoDatabase database, ClientSession session, Document command);
  }

  private MongoLog(MongoArena arena, Draw draw) {
    this.arena = arena;
    this.draw = draw;
    this.outbox = MongoLimit.createOutbox(arena.database());
    arena.database().getCollection(COUNTER).insertOne(new Document("_id", 1).append(VALUE, 0L));
    MongoLogReader.createCursor(arena.database());
  }

  /**
   * Uses a plain command: the driver would repeat a {@code findOneAndUpdate} after an error, for
   * which the server stores an image of every answer.
   */
  static Contender contender(MongoArena arena) {
    return new LimitContender(
        arena.topic(),
        new MongoLog(
            arena,
            (database, session, command) ->
                database.runCommand(command.append("writeConcern", new Document("w", 1)))));
  }

  /** Raises the counter in the transaction, which locks it, as it is often written. */
  static Contender counterInside(MongoArena arena) {
    return new LimitContender(
        arena.topic(),
        new MongoLog(arena, (database, session, command) -> database.runCommand(session, command)));
  }

  @Override
  public void enqueue(Event event, Runnable beforeCommit) {
    MongoLimit.inTransaction(
        arena,
        session -> {
          arena.orders().insert(session, event);
          outbox.insertOne(session, MongoRow.of(drawLast(session, 1), event, arena.topic()));
          beforeCommit.run();
        });
  }

  @Override
  public void fill(List<Event> events) {
    MongoLimit.inTransaction(
        arena,
        session -> {
          long pos = drawLast(session, events.size()) - events.size();
          List<MongoRow> rows = new ArrayList<>(events.size());
          for (Event event : events) {
            rows.add(MongoRow.of(++pos, event, arena.topic()));
          }
          outbox.insertMany(session, rows);
        });
  }

  private long drawLast(ClientSession session, int count) {
    Document command =
        new Document("findAndModify", COUNTER)
            .append("query", new Document("_id", 1))
            .append("update", new Document("$inc", new Document(VALUE, (long) count)))
            .append("new", true);
    return draw.draw(arena.database(), session, command)
        .get("value", Document.class)
        .getLong(VALUE);
  }

  @Override
  public LimitRelay.Work relay(Producer<byte[], byte[]> producer) {
    return new MongoLogRelay(
        new MongoLogReader(arena.client(), arena.database(), outbox), producer);
  }

  @Override
  public int requestsInFlight() {
    return 1;
  }
}
