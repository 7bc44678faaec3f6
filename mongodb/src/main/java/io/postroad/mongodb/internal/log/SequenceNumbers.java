package io.postroad.mongodb.internal.log;

import com.mongodb.MongoInterruptedException;
import com.mongodb.WriteConcern;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.PrimaryTerm;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * DRAW: sequence numbers are the places in a lane, whole numbers without holes from the lane's
 * counter.
 *
 * <p>A counter is raised outside of all transactions, so writers with one key do not conflict. A
 * transaction that comes while the counter is being raised waits and is served, with all others
 * that wait, by the next raise: never by one that began before, or a sequence number could be lower
 * than one of a transaction that has committed meanwhile.
 */
public final class SequenceNumbers {
  /** The counter of scheduled messages, which have no place in a lane yet. */
  static final BsonString SCHEDULED = new BsonString("scheduled");

  private final Database database;
  private final String counters;
  private final ConcurrentMap<BsonValue, Counter> byId = new ConcurrentHashMap<>();

  public SequenceNumbers(Database database) {
    this.database = database;
    this.counters = database.collection(Names.COUNTER).getNamespace().getCollectionName();
  }

  /**
   * SequenceNumbers that follow each other.
   *
   * @param first the lowest
   * @param at when they were drawn, by the database's clock
   */
  record Drawn(long first, BsonDateTime at) {}

  static BsonInt32 counter(int lane) {
    return new BsonInt32(lane);
  }

  /** Draws {@code count} sequence numbers in {@code term}. */
  Drawn draw(BsonValue counter, int count, PrimaryTerm term) {
    return byId.computeIfAbsent(counter, Counter::new).draw(count, term.isKnown());
  }

  /** One counter and the threads of this process that want numbers of it. */
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
          return turn.sequences(offset);
        }
      }
    }

    /**
     * Waits until another thread has raised the counter for this turn (false), or no thread raises
     * it.
     */
    private boolean awaitTurn(Turn turn) {
      try {
        while (busy && !turn.isOver()) {
          raised.await();
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new MongoInterruptedException("interrupted while drawing sequences", interrupted);
      }
      return !turn.isOver();
    }

    /** However it ends, the others go on: those of this turn with its result, then the next. */
    private void lead(Turn turn) {
      @Nullable BsonDocument after = null;
      @Nullable RuntimeException failure = null;
      try {
        after = raise(id, turn.wanted, turn.inKnownTerm);
      } catch (RuntimeException failed) {
        failure = failed;
      } catch (Error failed) {
        failure = MongoErrors.again("another thread failed while it drew places", failed);
        throw failed;
      } finally {
        end(turn, after, failure);
      }
    }

    private void end(Turn turn, @Nullable BsonDocument after, @Nullable RuntimeException failure) {
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

  /**
   * As a plain command, which the driver does not repeat: a repetition costs the server a copy of
   * the answer, and a sequence number that is lost with an answer is only a gap.
   */
  private BsonDocument raise(BsonValue id, long by, boolean inKnownTerm) {
    BsonDocument raised =
        new BsonDocument("seq", Bson.of("$add", Bson.field("seq"), new BsonInt64(by)))
            .append("at", database.time().now());
    WriteConcern concern = inKnownTerm ? WriteConcern.W1 : WriteConcern.MAJORITY;
    BsonDocument command =
        new BsonDocument("findAndModify", new BsonString(counters))
            .append("query", new BsonDocument(MessageDocument.ID, id))
            .append("update", new BsonArray(List.of(Bson.set(raised))))
            .append("new", BsonBoolean.TRUE)
            .append("writeConcern", concern.asDocument());
    BsonDocument answer = database.own().runCommand(command, BsonDocument.class);
    if (answer.containsKey("writeConcernError")) {
      throw new PostroadException(
          "no majority took note of a drawn place within the time given; run the transaction again");
    }
    BsonValue after = answer.get("value");
    if (after == null || !after.isDocument()) {
      throw new PostroadException(
          "the collection %s has no counter %s, so messages cannot get a place; see MongoSchema"
              .formatted(counters, id));
    }
    return after.asDocument();
  }

  /** The threads that one raise serves. Guarded by the lock of the counter until it is over. */
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

    Drawn sequences(long offset) {
      @Nullable BsonDocument counter = after;
      if (counter == null) {
        throw Objects.requireNonNull(failure);
      }
      long last = counter.getNumber("seq").longValue();
      return new Drawn(last - wanted + 1 + offset, counter.getDateTime("at"));
    }
  }
}
