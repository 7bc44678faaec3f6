package io.postroad.mongodb.internal.command;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateManyModel;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.UnheldDocuments;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.StoredCommand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** What becomes of commands without their handler, in the caller's session. */
public final class CommandFinisher {
  private static final FindOneAndUpdateOptions AFTER =
      new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);
  private static final BsonDocument LONGEST_FIRST =
      new BsonDocument(CommandDocument.EXPIRES_AT, new BsonInt32(1));
  private static final BsonDocument ID_ONLY =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));

  private final MongoCollection<BsonDocument> callers;
  private final CommandFilters filters;
  private final CommandUpdates updates;
  private final UnheldDocuments unheld;

  public CommandFinisher(Database database, UnheldDocuments unheld) {
    this.callers = database.callersCollection(Names.COMMAND);
    this.filters = new CommandFilters(database.time());
    this.updates = new CommandUpdates(database.time());
    this.unheld = unheld;
  }

  public Optional<StoredCommand> cancel(ClientSession session, UUID id, CommandOutcome outcome) {
    return end(session, filters.untaken(CommandFilters.id(id)), outcome);
  }

  /**
   * One that waits is ended as {@link #cancel} does; one with a lease that is over only if no
   * handler writes it, which would be a conflict for as long as that handler runs.
   */
  public Optional<StoredCommand> recall(ClientSession session, UUID id, CommandOutcome outcome) {
    Optional<StoredCommand> waited = end(session, CommandFilters.pending(id), outcome);
    if (waited.isPresent() || !isHeldByNobody(session, id)) {
      return waited;
    }
    return cancel(session, id, outcome);
  }

  private boolean isHeldByNobody(ClientSession session, UUID id) {
    BsonDocument which = filters.untaken(CommandFilters.id(id));
    return callers.find(session, which).projection(ID_ONLY).first() != null
        && !unheld.among(List.of(MessageDocument.id(id))).isEmpty();
  }

  public Optional<StoredCommand> find(ClientSession session, UUID id) {
    return Optional.ofNullable(callers.find(session, CommandFilters.id(id)).first())
        .map(CommandDocument::stored);
  }

  public Optional<StoredCommand> reply(ClientSession session, UUID id, CommandOutcome outcome) {
    return end(session, CommandFilters.elsewhere(id), outcome);
  }

  /**
   * Another transaction that writes it between look and update is a write conflict: this one is run
   * again, and then finds it held.
   */
  public Optional<StoredCommand> replyNow(ClientSession session, UUID id, CommandOutcome outcome) {
    return unheld.among(List.of(MessageDocument.id(id))).isEmpty()
        ? Optional.empty()
        : reply(session, id, outcome);
  }

  public boolean arrived(ClientSession session, UUID id) {
    return callers.updateOne(session, CommandFilters.away(id), updates.arrived()).getMatchedCount()
        > 0;
  }

  private Optional<StoredCommand> end(
      ClientSession session, BsonDocument which, CommandOutcome outcome) {
    return Optional.ofNullable(
            callers.findOneAndUpdate(session, which, updates.ended(outcome), AFTER))
        .map(CommandDocument::stored);
  }

  /**
   * Looks which are expired, leaves out those that others are changing, and changes the rest. Who
   * begins to change one in between is a write conflict: MongoDB ends this transaction with the
   * label that lets it run again.
   */
  public List<StoredCommand> expire(
      ClientSession session, CommandOutcome outcome, int limit, Collection<UUID> except) {
    List<BsonValue> free = new ArrayList<>();
    Set<BsonValue> looked = new HashSet<>();
    except.forEach(id -> looked.add(MessageDocument.id(id)));
    List<BsonValue> expired;
    do {
      expired =
          callers
              .find(session, filters.expired(looked))
              .sort(LONGEST_FIRST)
              .limit(limit - free.size())
              .projection(ID_ONLY)
              .map(document -> document.get(MessageDocument.ID))
              .into(new ArrayList<>());
      looked.addAll(expired);
      free.addAll(unheld.among(expired));
    } while (!expired.isEmpty() && free.size() < limit);
    if (free.isEmpty()) {
      return List.of();
    }
    callers.bulkWrite(
        session,
        List.of(
            new UpdateManyModel<>(mayBeLate(free, true), CommandUpdates.toldLate()),
            new UpdateManyModel<>(mayBeLate(free, false), updates.ended(outcome))));
    return read(session, free);
  }

  private static BsonDocument mayBeLate(List<BsonValue> ids, boolean allowed) {
    return CommandFilters.among(ids)
        .append(CommandDocument.LATE_ALLOWED, BsonBoolean.valueOf(allowed));
  }

  private List<StoredCommand> read(ClientSession session, List<BsonValue> ids) {
    Map<BsonValue, StoredCommand> commands =
        callers.find(session, CommandFilters.among(ids)).into(new ArrayList<>()).stream()
            .collect(
                Collectors.toMap(
                    document -> document.get(MessageDocument.ID), CommandDocument::stored));
    return ids.stream().map(commands::get).toList();
  }
}
