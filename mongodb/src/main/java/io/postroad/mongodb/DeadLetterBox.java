package io.postroad.mongodb;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.MergeOptions;
import io.postroad.message.PostroadException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where dead letters are kept. Those that are moved are copied first and removed then: after a
 * crash in between they are in both places, or still where they were, and {@link #bringOthers}
 * takes them along later.
 */
final class DeadLetterBox {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterBox.class);

  private final MongoCollection<BsonDocument> outbox;
  private final boolean moves;
  private final String box;

  DeadLetterBox(Database database) {
    this.outbox = database.latest(Names.OUTBOX);
    this.moves = database.options().deadLetters() == MongoOptions.DeadLetters.MOVE;
    this.box = database.options().prefix() + Names.DEAD;
  }

  /** Moves messages that were just settled as dead, if that is wanted. Never fails. */
  void bring(Collection<UUID> dead) {
    if (!moves || dead.isEmpty()) {
      return;
    }
    try {
      Database.call("move dead letters", () -> move(dead));
    } catch (PostroadException failed) {
      LOG.warn("mongodb: dead letters stay where they are for now; error={}", failed.getMessage());
    }
  }

  /** Moves dead letters that were left behind, a bounded number. */
  void bringOthers(int limit) {
    if (moves) {
      List<UUID> left = new ArrayList<>();
      outbox
          .find(QueueDocument.settled(QueueDocument.DEAD))
          .sort(new BsonDocument(QueueDocument.SETTLED_AT, new BsonInt32(1)))
          .limit(limit)
          .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
          .forEach(document -> left.add(MessageDocument.id(document)));
      if (!left.isEmpty()) {
        move(left);
      }
    }
  }

  private boolean move(Collection<UUID> dead) {
    BsonDocument which =
        Bson.ids(dead).append(QueueDocument.STATUS, new BsonString(QueueDocument.DEAD));
    outbox
        .aggregate(
            List.of(
                Aggregates.match(which),
                Aggregates.merge(
                    box, new MergeOptions().whenMatched(MergeOptions.WhenMatched.REPLACE))))
        .toCollection();
    outbox.deleteMany(which);
    return true;
  }
}
