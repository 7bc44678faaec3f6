package io.postroad.mongodb.internal.command;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.DeleteOptions;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.StoredCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** Finds commands, and deletes those that ended long ago. */
public final class CommandReader {
  private static final BsonDocument LONGEST_AGO_FIRST =
      new BsonDocument(CommandDocument.FINISHED_AT, new BsonInt32(1));
  private static final BsonDocument ID_ONLY =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));
  private static final DeleteOptions BY_ID = new DeleteOptions().hint(ID_ONLY);

  private final MongoCollection<BsonDocument> commands;
  private final MongoCollection<BsonDocument> latest;
  private final CommandFilters filters;

  public CommandReader(Database database) {
    this.commands = database.collection(Names.COMMAND);
    this.latest = database.latest(Names.COMMAND);
    this.filters = new CommandFilters(database.time());
  }

  public Optional<StoredCommand> find(UUID id) {
    return first(CommandFilters.id(id));
  }

  public Optional<StoredCommand> findByKey(String idempotencyKey) {
    return first(CommandAccepter.withKey(idempotencyKey));
  }

  private Optional<StoredCommand> first(BsonDocument which) {
    return Optional.ofNullable(commands.find(which).first()).map(CommandDocument::stored);
  }

  public List<StoredCommand> finished(Collection<UUID> ids) {
    return ids.isEmpty()
        ? List.of()
        : commands
            .find(CommandFilters.finished(ids))
            .map(CommandDocument::stored)
            .into(new ArrayList<>());
  }

  public int purge(Duration olderThan, int limit) {
    List<BsonValue> old =
        latest
            .find(filters.finishedBefore(olderThan))
            .sort(LONGEST_AGO_FIRST)
            .limit(limit)
            .projection(ID_ONLY)
            .map(document -> document.get(MessageDocument.ID))
            .into(new ArrayList<>());
    if (old.isEmpty()) {
      return 0;
    }
    // A command that another node purged, and that was sent again meanwhile, stays.
    BsonDocument stillOld =
        filters.finishedBefore(olderThan).append(MessageDocument.ID, Bson.in(old));
    return (int) latest.deleteMany(stillOld, BY_ID).getDeletedCount();
  }
}
