package io.postroad.benchmarks.outbox;

import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.producer.Producer;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * A log on MongoDB: documents are only inserted, at positions that a counter gives.
 *
 * <p>Outside the transaction, the counter does not make writers conflict, and is not waited for
 * until a majority has it: an election ends the transaction, which has written its order before it
 * draws a position, so draw and commit are in the log of one primary, one after the other.
 */
final class MongoLog implements LimitContender.Design {
  private static final String COUNTER = "counter";
  private static final String VALUE = "value";
  private static final Bson ONLY = Filters.eq("_id", 1);
  private static final FindOneAndUpdateOptions AFTER =
      new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);

  private final MongoArena arena;
  private final MongoCollection<MongoRow> outbox;
  private final MongoCollection<Document> counter;
  private final Draw draw;

  /** How positions are drawn: the last of so many. */
  @FunctionalInterface
  private interface Draw {
    Document draw(MongoCollection<Document> counter, ClientSession session, Bson increment);
  }

  private MongoLog(MongoArena arena, Draw draw) {
    this.arena = arena;
    this.draw = draw;
    this.outbox = MongoLimit.createOutbox(arena.database());
    this.counter = arena.database().getCollection(COUNTER);
    counter.insertOne(new Document("_id", 1).append(VALUE, 0L));
    MongoLogReader.createCursor(arena.database());
  }

  static Contender contender(MongoArena arena) {
    return new LimitContender(
        arena.topic(),
        new MongoLog(
            arena,
            (counter, session, increment) ->
                Objects.requireNonNull(
                    counter
                        .withWriteConcern(WriteConcern.W1)
                        .findOneAndUpdate(ONLY, increment, AFTER))));
  }

  /** As it is often written: the counter is raised in the transaction, which locks it. */
  static Contender counterInside(MongoArena arena) {
    return new LimitContender(
        arena.topic(),
        new MongoLog(
            arena,
            (counter, session, increment) ->
                Objects.requireNonNull(counter.findOneAndUpdate(session, ONLY, increment, AFTER))));
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
    return draw.draw(counter, session, Updates.inc(VALUE, (long) count)).getLong(VALUE);
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
