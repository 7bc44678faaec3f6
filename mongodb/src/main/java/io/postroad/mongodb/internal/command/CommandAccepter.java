package io.postroad.mongodb.internal.command;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.CommandQueue.Acceptance;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import java.time.Duration;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** ACCEPT: writes one document for each idempotency key, which has a unique index. */
public final class CommandAccepter {
  private static final FindOneAndUpdateOptions UPSERT =
      new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.BEFORE);

  private final MongoCollection<BsonDocument> callers;
  private final MongoCollection<BsonDocument> latest;
  private final ServerTime time;

  public CommandAccepter(Database database) {
    this.callers = database.callersCollection(Names.COMMAND);
    this.latest = database.latest(Names.COMMAND);
    this.time = database.time();
  }

  /**
   * Adds a command where its key has none. An upsert, because an insert that meets another would
   * end the transaction. Two open transactions that add the same key are a write conflict: MongoDB
   * ends the second one with the label that lets it run again.
   */
  public Acceptance accept(ClientSession session, NewCommand command) {
    BsonDocument fresh = CommandDocument.fresh(command, time.floor());
    return added(session, command, fresh)
        .map(known -> new Acceptance(false, known))
        .orElseGet(() -> new Acceptance(true, CommandDocument.stored(fresh)));
  }

  public Acceptance acceptTaken(
      ClientSession session, NewCommand command, String owner, Duration leaseFor) {
    BsonDocument taken = CommandDocument.taken(command, time.floor(), owner, leaseFor);
    return added(session, command, taken)
        .map(known -> new Acceptance(false, known))
        .orElseGet(
            () ->
                new Acceptance(
                    true,
                    CommandDocument.stored(taken),
                    Optional.of(CommandDocument.claim(taken))));
  }

  /** Adds a document; returns the command that has its key, if there was one. */
  private Optional<StoredCommand> added(
      ClientSession session, NewCommand command, BsonDocument fresh) {
    try {
      @Nullable BsonDocument known =
          callers.findOneAndUpdate(
              session,
              withKey(command.idempotencyKey()),
              new BsonDocument("$setOnInsert", fresh),
              UPSERT);
      return Optional.ofNullable(known).map(CommandDocument::stored);
    } catch (MongoException failed) {
      if (MongoErrors.isDuplicateKey(failed)) {
        throw duplicate(command, failed);
      }
      throw failed;
    }
  }

  static BsonDocument withKey(String idempotencyKey) {
    return new BsonDocument(CommandDocument.IDEMPOTENCY_KEY, new BsonString(idempotencyKey));
  }

  /** Makes the exception for a known key, which the next run finds, or for a known id. */
  private RuntimeException duplicate(NewCommand command, MongoException failed) {
    @Nullable BsonDocument sameId =
        latest
            .find(CommandFilters.id(command.id()))
            .projection(BsonDocument.parse("{idempotency_key: 1}"))
            .first();
    if (sameId != null
        && !MessageDocument.text(sameId, CommandDocument.IDEMPOTENCY_KEY)
            .equals(command.idempotencyKey())) {
      return new PostroadException(
          "command id %s is taken by a command with another idempotency key; roll back, and give every command an id of its own"
              .formatted(command.id()),
          failed);
    }
    return MongoErrors.again(
        "another transaction has accepted a command with the key of command %s; run this one again"
            .formatted(command.id()),
        failed);
  }
}
