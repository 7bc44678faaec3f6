package io.postroad.mongodb.internal.log;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSocketException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.message.Message;
import io.postroad.mongodb.internal.append.Appender;
import io.postroad.mongodb.internal.append.Insertion;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.PrimaryTerm;
import io.postroad.store.OrderKey;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/**
 * Inserts messages into the log, and those that are not due yet into the schedule. One raise of the
 * counter of each lane, outside the session, and one insert.
 */
public final class LogInsert implements Insertion {
  private final Database database;
  private final SequenceNumbers sequences;
  private final int lanes;
  private final MongoCollection<BsonDocument> log;
  private final MongoCollection<BsonDocument> scheduled;

  public LogInsert(Database database, SequenceNumbers sequences) {
    this.database = database;
    this.sequences = sequences;
    this.lanes = database.options().lanes();
    this.log = database.callersCollection(Names.LOG);
    this.scheduled = database.callersCollection(Names.SCHEDULED);
  }

  @Override
  public void insert(ClientSession session, List<Message> messages) {
    List<Message> due = new ArrayList<>(messages.size());
    List<Message> later = new ArrayList<>();
    for (Message message : messages) {
      (isDue(message) ? due : later).add(message);
    }
    if (!later.isEmpty()) {
      schedule(session, later);
    }
    if (!due.isEmpty()) {
      append(session, due);
    }
  }

  private boolean isDue(Message message) {
    return message
        .notBefore()
        .filter(time -> MessageDocument.time(time).compareTo(database.time().floor()) > 0)
        .isEmpty();
  }

  private void append(ClientSession session, List<Message> messages) {
    PrimaryTerm term = PrimaryTerm.current(database.client());
    SortedMap<Integer, List<Message>> byLane = new TreeMap<>();
    for (Message message : messages) {
      byLane
          .computeIfAbsent(OrderKey.of(message).lane(lanes), lane -> new ArrayList<>())
          .add(message);
    }
    List<BsonDocument> documents = new ArrayList<>(messages.size());
    byLane.forEach(
        (lane, ofLane) -> {
          SequenceNumbers.Drawn drawn = draw(SequenceNumbers.counter(lane), ofLane.size(), term);
          long sequence = drawn.first();
          for (Message message : ofLane) {
            BsonInt64 id = LogIds.id(lane, sequence++);
            documents.add(LogDocument.write(message, id, drawn.at()));
          }
        });
    insert(session, documents, term);
  }

  /**
   * Draws sequence numbers; an election meanwhile means that the transaction is to be run again.
   */
  SequenceNumbers.Drawn draw(BsonValue counter, int count, PrimaryTerm term) {
    try {
      return sequences.draw(counter, count, term);
    } catch (MongoSocketException
        | MongoNotPrimaryException
        | MongoNodeIsRecoveringException moved) {
      throw MongoErrors.again("the primary was lost while a place was drawn", moved);
    }
  }

  /** Inserts what has sequence numbers of {@code term}; afterwards they are used, or nothing is. */
  void insert(ClientSession session, List<BsonDocument> documents, PrimaryTerm term) {
    try {
      if (documents.size() == 1) {
        log.insertOne(session, documents.get(0));
      } else {
        log.insertMany(session, documents);
      }
    } catch (MongoException failed) {
      if (MongoErrors.isDuplicateKey(failed)) {
        throw MongoErrors.again(
            "the place of a message was closed, because it came so late, or given twice, because"
                + " another server became the primary",
            failed);
      }
      throw failed;
    }
    requireHolds(term, session);
  }

  private static void requireHolds(PrimaryTerm term, ClientSession session) {
    if (!term.stillHolds()) {
      // A caller that swallows the exception must not be able to commit such a number.
      session.abortTransaction();
      MongoException again =
          new MongoException(
              "another server became the primary between a message's place and its insert");
      again.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
      throw again;
    }
  }

  private void schedule(ClientSession session, List<Message> messages) {
    PrimaryTerm term = PrimaryTerm.current(database.client());
    SequenceNumbers.Drawn drawn = draw(SequenceNumbers.SCHEDULED, messages.size(), term);
    List<BsonDocument> documents = new ArrayList<>(messages.size());
    long turn = drawn.first();
    for (Message message : messages) {
      documents.add(
          MessageDocument.write(message, drawn.at())
              .append(Schedule.LANE, SequenceNumbers.counter(OrderKey.of(message).lane(lanes)))
              .append(Schedule.TURN, new BsonInt64(turn++)));
    }
    try {
      scheduled.insertMany(session, documents);
    } catch (MongoException failed) {
      if (MongoErrors.isDuplicateKey(failed)) {
        int index =
            failed instanceof MongoBulkWriteException bulk && !bulk.getWriteErrors().isEmpty()
                ? bulk.getWriteErrors().get(0).getIndex()
                : 0;
        throw Appender.idIsTaken(messages.get(index).id(), failed);
      }
      throw failed;
    }
    requireHolds(term, session);
  }
}
