package io.postroad.mongodb.internal.log;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.log.Gaps.Range;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.hint.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CLOSE: puts a tombstone into the log at sequence numbers that have been missing for long, so that
 * readers need not look for them for ever. Most were rolled back.
 *
 * <p>Nothing can be lost by it, however wrong clocks are: sequence number and void are the same
 * {@code _id}. While the transaction that has the sequence number is open, the tombstone meets a
 * write conflict and gives up at once; after its commit the tombstone is a duplicate; and where the
 * tombstone was first, the transaction cannot insert its message and is run again with a new
 * sequence number.
 *
 * <p>Only the lane's owner closes: a node that was frozen and has lost its lane changes nothing
 * when it goes on.
 *
 * <p>Works on a thread of its own, so that no reader waits for it.
 */
public final class GapCloser implements AutoCloseable {
  /** Longer than nearly all transactions take from their first append to their commit. */
  public static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(GapCloser.class);
  private static final int CHUNK = 1_000;

  /**
   * With more ranges than this, readers would spend their time looking for what is missing: all of
   * it is closed without patience. A transaction that is about to use one of these sequence numbers
   * is run again.
   */
  static final int MANY = 10_000;

  private static final int TRIES = 200;
  private static final long IDLE_SECONDS = 10;
  private static final TransactionOptions OPTIONS =
      TransactionOptions.builder()
          .readConcern(ReadConcern.SNAPSHOT)
          .writeConcern(WriteConcern.MAJORITY)
          .readPreference(ReadPreference.primary())
          .build();

  private final Database database;
  private final Fence fence;
  private final MongoCollection<BsonDocument> log;
  private final long patienceNanos;
  private final Map<Integer, Watched> watched = new HashMap<>();
  private final Set<Integer> closing = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor thread;

  /** The numbers that were missing at a moment. */
  private record Watched(Gaps gaps, long since) {}

  public GapCloser(Database database, Fence fence, Duration patience) {
    this.database = database;
    this.fence = fence;
    this.log = database.callersCollection(Names.LOG);
    this.patienceNanos = patience.toNanos();
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> Threads.daemon("postroad-mongodb-gaps", work));
    thread.allowCoreThreadTimeOut(true);
  }

  /** A read of a lane did not see these; what it did not see the last times either is closed. */
  void observe(LaneLease lease, Gaps missing) {
    int lane = lease.lane();
    Gaps overdue = overdue(lane, missing);
    if (overdue.isEmpty() || !closing.add(lane)) {
      return;
    }
    try {
      thread.execute(() -> closeQuietly(lease, overdue));
    } catch (RejectedExecutionException closed) {
      closing.remove(lane);
      LOG.debug("mongodb: the store was closed before sequences of lane {} were", lane);
    }
  }

  private synchronized Gaps overdue(int lane, Gaps missing) {
    if (missing.isEmpty()) {
      watched.remove(lane);
      return Gaps.NONE;
    }
    long now = System.nanoTime();
    if (missing.size() > MANY) {
      watched.put(lane, new Watched(missing, now));
      return missing;
    }
    @Nullable Watched before = watched.get(lane);
    if (before != null && now - before.since < patienceNanos) {
      return Gaps.NONE;
    }
    watched.put(lane, new Watched(missing, now));
    return before == null ? Gaps.NONE : before.gaps.and(missing);
  }

  private void closeQuietly(LaneLease lease, Gaps gaps) {
    int lane = lease.lane();
    try {
      int closed = close(lease, gaps);
      if (closed > 0) {
        LOG.debug("mongodb: {} sequences of lane {} were not used and are closed", closed, lane);
      }
    } catch (LaneLostException lost) {
      LOG.debug("mongodb: sequences of lane {} are left to its new owner", lane);
    } catch (RuntimeException failed) {
      LOG.warn(
          "mongodb: sequences of lane {} could not be closed; they are tried again; error={}",
          lane,
          failed.toString());
    } finally {
      closing.remove(lane);
    }
  }

  /**
   * Closes the sequence numbers that no transaction has used or holds.
   *
   * @return how many it closed
   * @throws LaneLostException when the lane has another owner now
   */
  int close(LaneLease lease, Gaps gaps) {
    Pass pass = new Pass(lease);
    List<Range> some = new ArrayList<>();
    long sequences = 0;
    for (Range range : gaps.ranges()) {
      if (!some.isEmpty() && sequences + range.count() > CHUNK) {
        pass.close(List.copyOf(some));
        some.clear();
        sequences = 0;
      }
      some.add(range);
      sequences += range.count();
    }
    pass.close(some);
    return pass.closed;
  }

  private enum Outcome {
    CLOSED,
    USED,
    HELD
  }

  /** One go at some gaps of a lane. */
  private final class Pass {
    private final LaneLease lease;
    private final int lane;
    private int closed;
    private int tries;

    Pass(LaneLease lease) {
      this.lease = lease;
      this.lane = lease.lane();
    }

    /** Closes ranges in one transaction; where that fails, each half by itself. */
    void close(List<Range> ranges) {
      if (ranges.size() < 2) {
        ranges.forEach(this::close);
        return;
      }
      List<Long> unused = unused(ranges);
      if (unused.isEmpty() || tries >= TRIES) {
        return;
      }
      tries++;
      if (insert(unused) == Outcome.CLOSED) {
        closed += unused.size();
        return;
      }
      int half = ranges.size() / 2;
      close(ranges.subList(0, half));
      close(ranges.subList(half, ranges.size()));
    }

    private List<Long> unused(List<Range> ranges) {
      Gaps.Builder wanted = new Gaps.Builder(2 * ranges.size());
      ranges.forEach(range -> wanted.add(range.first(), range.last()));
      Set<Long> used = new HashSet<>();
      log.find(new BsonDocument("$or", LogIds.gaps(lane, wanted.build())))
          .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
          .forEach(document -> used.add(LogIds.sequence(document)));
      return ranges.stream()
          .flatMapToLong(range -> LongStream.rangeClosed(range.first(), range.last()))
          .filter(sequence -> !used.contains(sequence))
          .boxed()
          .toList();
    }

    /** The sequence numbers of a range mostly belong to one transaction: its first one tells. */
    void close(Range range) {
      List<Long> unused = unused(range);
      if (unused.isEmpty() || !closeOne(unused.get(0))) {
        return;
      }
      for (int from = 1; from < unused.size(); from += CHUNK) {
        closeAll(unused.subList(from, Math.min(from + CHUNK, unused.size())));
      }
    }

    private boolean closeOne(long sequence) {
      return closeAll(List.of(sequence)) != Outcome.HELD;
    }

    /** All of them, or, where that does not go, each half by itself. */
    private Outcome closeAll(List<Long> sequences) {
      if (++tries > TRIES) {
        return Outcome.HELD;
      }
      Outcome outcome = insert(sequences);
      if (outcome == Outcome.CLOSED) {
        closed += sequences.size();
      } else if (sequences.size() > 1) {
        int half = sequences.size() / 2;
        closeAll(sequences.subList(0, half));
        closeAll(sequences.subList(half, sequences.size()));
      }
      return outcome;
    }

    private List<Long> unused(Range range) {
      Set<Long> used = new HashSet<>();
      log.find(LogIds.between(lane, range.first(), range.last()))
          .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
          .forEach(document -> used.add(LogIds.sequence(document)));
      return LongStream.rangeClosed(range.first(), range.last())
          .limit((long) CHUNK * TRIES)
          .filter(sequence -> !used.contains(sequence))
          .boxed()
          .toList();
    }

    /**
     * In a transaction, where a conflict is told at once; outside of one it would be waited for.
     */
    private Outcome insert(List<Long> sequences) {
      BsonDateTime now = database.time().floor();
      List<BsonDocument> tombstones = new ArrayList<>(sequences.size());
      sequences.forEach(
          sequence -> tombstones.add(LogDocument.closed(LogIds.id(lane, sequence), now)));
      try (ClientSession session = database.client().startSession()) {
        session.startTransaction(OPTIONS);
        fence.look(session, lease, "close");
        log.insertMany(session, tombstones);
        session.commitTransaction();
        return Outcome.CLOSED;
      } catch (MongoException failed) {
        if (MongoErrors.isDuplicateKey(failed)) {
          return Outcome.USED;
        }
        if (MongoErrors.isTransient(failed)) {
          return Outcome.HELD;
        }
        throw failed;
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
