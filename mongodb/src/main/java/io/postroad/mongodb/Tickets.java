package io.postroad.mongodb;

import com.mongodb.MongoInterruptedException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import io.postroad.message.PostroadException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * DRAW: tickets are the places in a lane, whole numbers without holes from the lane's counter.
 *
 * <p>A counter is raised outside of all transactions, so writers with one key do not conflict. Who
 * comes while the counter is being raised waits and is served, with all others who wait, by the
 * next raise: never by one that began before, or a ticket could be lower than one of a transaction
 * that has committed meanwhile.
 */
final class Tickets {
  /** The counter of scheduled messages, which have no place in a lane yet. */
  static final BsonString SCHEDULED = new BsonString("scheduled");

  private final Database database;
  private final MongoCollection<BsonDocument> counters;
  private final ConcurrentMap<BsonValue, Counter> byId = new ConcurrentHashMap<>();

  Tickets(Database database) {
    this.database = database;
    this.counters = database.collection(Names.COUNTER);
  }

  /**
   * Tickets that follow each other.
   *
   * @param first the lowest
   * @param at when they were drawn, by the database's clock
   */
  record Drawn(long first, BsonDateTime at) {}

  static BsonInt32 counter(int lane) {
    return new BsonInt32(lane);
  }

  /** Draws {@code count} tickets in {@code term}. */
  Drawn draw(BsonValue counter, int count, PrimaryTerm term) {
    return byId.computeIfAbsent(counter, Counter::new).draw(count, term.isKnown());
  }

  /** One counter and those of this process who want tickets of it. */
  private final class Counter {
    private final BsonValue id;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private Turn gathering = new Turn();
    private boolean busy;

    Counter(BsonValue id) {
      this.id = id;
    }

    Drawn draw(int count, boolean inKnownTerm) {
      while (true) {
        Turn turn;
        long offset;
        lock.lock();
        try {
          turn = gathering;
          offset = turn.join(count, inKnownTerm);
          if (awaitTurn(turn)) {
            busy = true;
            gathering = new Turn();
          }
        } finally {
          lock.unlock();
        }
        if (!turn.isOver()) {
          lead(turn);
        }
        if (!turn.wasInterrupted() || Thread.currentThread().isInterrupted()) {
          return turn.tickets(offset);
        }
      }
    }

    /** Until somebody else has raised the counter for this turn (false), or nobody is at it. */
    private boolean awaitTurn(Turn turn) {
      try {
        while (busy && !turn.isOver()) {
          raised.await();
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new MongoInterruptedException("interrupted while drawing tickets", interrupted);
      }
      return !turn.isOver();
    }

    private void lead(Turn turn) {
      @Nullable BsonDocument after = null;
      @Nullable RuntimeException failure = null;
      try {
        after = raise(id, turn.wanted, turn.inKnownTerm);
      } catch (RuntimeException failed) {
        failure = failed;
      }
      lock.lock();
      try {
        turn.end(after, failure);
        busy = false;
        raised.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private BsonDocument raise(BsonValue id, long by, boolean inKnownTerm) {
    BsonDocument raised =
        new BsonDocument(
                "seq",
                new BsonDocument(
                    "$add", new BsonArray(List.of(new BsonString("$seq"), new BsonInt64(by)))))
            .append("at", database.time().now());
    @Nullable BsonDocument after =
        counters
            .withWriteConcern(inKnownTerm ? WriteConcern.W1 : WriteConcern.MAJORITY)
            .findOneAndUpdate(
                new BsonDocument(MessageDocument.ID, id),
                List.of(new BsonDocument("$set", raised)),
                new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER));
    if (after == null) {
      throw new PostroadException(
          "the collection %s has no counter %s, so messages cannot get a place; see MongoSchema"
              .formatted(Names.COUNTER, id));
    }
    return after;
  }

  /** Those who are served by one raise. Guarded by the counter's lock until it is over. */
  private static final class Turn {
    private long wanted;
    private boolean inKnownTerm = true;
    private @Nullable RuntimeException failure;
    private volatile @Nullable BsonDocument after;
    private volatile boolean over;

    long join(int count, boolean known) {
      long offset = wanted;
      wanted += count;
      inKnownTerm &= known;
      return offset;
    }

    void end(@Nullable BsonDocument counter, @Nullable RuntimeException failed) {
      after = counter;
      failure = failed;
      over = true;
    }

    boolean isOver() {
      return over;
    }

    boolean wasInterrupted() {
      return failure instanceof MongoInterruptedException;
    }

    Drawn tickets(long offset) {
      @Nullable BsonDocument counter = after;
      if (counter == null) {
        throw Objects.requireNonNull(failure);
      }
      long last = counter.getNumber("seq").longValue();
      return new Drawn(last - wanted + 1 + offset, counter.getDateTime("at"));
    }
  }
}
