package io.postroad.mongodb.internal.command;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateManyModel;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandEnds.Opening;
import io.postroad.spi.CommandOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.jspecify.annotations.Nullable;

/** OPEN, FINISH, RETRY and RELEASE of claimed commands, each under the token of its claim. */
public final class ClaimedCommands {
  private static final BsonDocument ID_ONLY =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));
  private static final FindOneAndUpdateOptions OPENED =
      new FindOneAndUpdateOptions()
          .returnDocument(ReturnDocument.AFTER)
          .projection(
              new BsonDocument(CommandDocument.OPENED_AT, new BsonInt32(1))
                  .append(CommandDocument.DEADLINE, new BsonInt32(1)));

  private final MongoCollection<BsonDocument> callers;
  private final MongoCollection<BsonDocument> own;
  private final CommandUpdates updates;

  public ClaimedCommands(Database database) {
    this.callers = database.callersCollection(Names.COMMAND);
    this.own = database.collection(Names.COMMAND);
    this.updates = new CommandUpdates(database.time());
  }

  /** Writes the document, which locks it until the transaction has ended. */
  public Opening open(ClientSession session, CommandClaim claim) {
    @Nullable BsonDocument opened =
        callers.findOneAndUpdate(session, CommandFilters.held(claim), updates.opened(), OPENED);
    if (opened == null) {
      return Opening.LOST;
    }
    return CommandDocument.isLate(opened) ? Opening.LATE : Opening.HELD;
  }

  public boolean finish(ClientSession session, CommandClaim claim, CommandOutcome outcome) {
    return callers
            .updateOne(session, CommandFilters.held(claim), updates.ended(outcome))
            .getMatchedCount()
        > 0;
  }

  public boolean retry(CommandClaim claim, Duration delay, String error) {
    return own.updateOne(CommandFilters.held(claim), updates.retried(delay, error))
            .getMatchedCount()
        > 0;
  }

  public boolean handOver(CommandClaim claim, Duration pause, String why) {
    return own.updateOne(CommandFilters.held(claim), updates.handedOver(pause, why))
            .getMatchedCount()
        > 0;
  }

  /** Releases all claims in one round trip, with one update for all claims of the same token. */
  public Set<UUID> release(Collection<CommandClaim> claims) {
    Map<Long, Set<UUID>> byToken = new TreeMap<>();
    claims.forEach(
        claim -> byToken.computeIfAbsent(claim.token(), any -> new HashSet<>()).add(claim.id()));
    if (byToken.isEmpty()) {
      return Set.of();
    }
    BsonObjectId mark = new BsonObjectId();
    List<UpdateManyModel<BsonDocument>> models = new ArrayList<>();
    Set<UUID> ids = new HashSet<>();
    byToken.forEach(
        (token, those) -> {
          models.add(
              new UpdateManyModel<>(
                  CommandFilters.held(Bson.ids(those), token), updates.released(mark)));
          ids.addAll(those);
        });
    int released = own.bulkWrite(models).getMatchedCount();
    return released == ids.size() ? ids : marked(ids, mark);
  }

  private Set<UUID> marked(Set<UUID> ids, BsonObjectId mark) {
    return own.find(Bson.ids(ids).append(CommandDocument.RELEASE, mark))
        .projection(ID_ONLY)
        .map(MessageDocument::id)
        .into(new HashSet<>());
  }
}
