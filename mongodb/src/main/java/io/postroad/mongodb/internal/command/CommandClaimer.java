package io.postroad.mongodb.internal.command;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.UnheldDocuments;
import io.postroad.spi.CommandClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CLAIM: claims due commands under a lease, in three round trips: find due ones, mark those that
 * still are due with the number of this claim, read the marked ones. Of claimers that find the same
 * commands each gets those it has marked; one that gets fewer tries again.
 */
public final class CommandClaimer {
  private static final Logger LOG = LoggerFactory.getLogger(CommandClaimer.class);
  private static final int ROUNDS = 4;

  /** A write holds a document for less than this; longer, a transaction has locked it. */
  private static final long PATIENCE_MILLIS = 2_000;

  /** The server merges the due commands of so many types by index; of 200 it would sort. */
  private static final int TYPES_AT_ONCE = 100;

  private static final BsonDocument LONGEST_DUE_FIRST =
      new BsonDocument(CommandDocument.AVAILABLE_AT, new BsonInt32(1));
  private static final BsonDocument WHICH_AND_SINCE =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1))
          .append(CommandDocument.AVAILABLE_AT, new BsonInt32(1))
          .append(CommandDocument.ATTEMPTS, new BsonInt32(1));

  /** Otherwise the planner might read all due documents to find the few that are named. */
  private static final UpdateOptions BY_ID =
      new UpdateOptions().hint(new BsonDocument(MessageDocument.ID, new BsonInt32(1)));

  private final MongoCollection<BsonDocument> commands;
  private final MongoCollection<BsonDocument> latest;
  private final CommandFilters filters;
  private final CommandUpdates updates;
  private final UnheldDocuments unheld;
  private final HandlerSessions sessions;

  public CommandClaimer(Database database, UnheldDocuments unheld, HandlerSessions sessions) {
    this.commands = database.collection(Names.COMMAND);
    this.latest = database.latest(Names.COMMAND);
    this.filters = new CommandFilters(database.time());
    this.updates = new CommandUpdates(database.time());
    this.unheld = unheld;
    this.sessions = sessions;
  }

  public List<CommandClaim> claim(String owner, Set<String> types, int limit, Duration leaseFor) {
    List<CommandClaim> claims = new ArrayList<>();
    Set<BsonValue> held = new HashSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      int wanted = limit - claims.size();
      List<BsonValue> due = due(List.copyOf(types), wanted, held);
      if (due.isEmpty()) {
        break;
      }
      BsonObjectId mark = new BsonObjectId();
      held.addAll(mark(due, updates.claimed(owner, leaseFor, mark)));
      List<CommandClaim> taken = marked(due, mark);
      claims.addAll(taken);
      if (due.size() < wanted || taken.size() == due.size()) {
        break;
      }
    }
    return claims;
  }

  /** Returns the ids of due commands, the longest due first. */
  private List<BsonValue> due(List<String> types, int limit, Set<BsonValue> held) {
    List<BsonDocument> found = new ArrayList<>();
    for (int from = 0; from < types.size(); from += TYPES_AT_ONCE) {
      List<String> some = types.subList(from, Math.min(types.size(), from + TYPES_AT_ONCE));
      BsonDocument which = filters.dueOf(some);
      if (!held.isEmpty()) {
        which.append(MessageDocument.ID, new BsonDocument("$not", Bson.in(held)));
      }
      latest
          .find(which)
          .sort(LONGEST_DUE_FIRST)
          .limit(limit)
          .projection(WHICH_AND_SINCE)
          .into(found);
    }
    if (found.stream()
        .anyMatch(document -> document.getNumber(CommandDocument.ATTEMPTS).intValue() > 0)) {
      // The node that had it may stand still or be dead, with an open transaction.
      int unused = sessions.endOverdue();
    }
    return found.stream()
        .sorted(
            Comparator.comparingLong(
                document -> document.getDateTime(CommandDocument.AVAILABLE_AT).getValue()))
        .limit(limit)
        .map(document -> document.get(MessageDocument.ID))
        .toList();
  }

  /**
   * Marks those that are still due. Leaves out documents that an open transaction has written, of a
   * handler that is slower than its lease.
   *
   * @return those that were left out
   */
  private Set<BsonValue> mark(List<BsonValue> due, List<BsonDocument> update) {
    if (markedInTime(due, update) || (sessions.endOverdue() > 0 && markedInTime(due, update))) {
      return Set.of();
    }
    LOG.warn(
        "mongodb: a claim leaves out commands that an open transaction holds: a handler takes longer"
            + " than its lease, or another program writes to them; raise the lease, or end it");
    List<BsonValue> free = unheld.among(due);
    if (!free.isEmpty()) {
      boolean unused = markedInTime(free, update);
    }
    Set<BsonValue> held = new HashSet<>(due);
    free.forEach(held::remove);
    return held;
  }

  private boolean markedInTime(List<BsonValue> due, List<BsonDocument> update) {
    BsonDocument stillDue = filters.due().append(MessageDocument.ID, Bson.in(due));
    try {
      commands
          .withTimeout(PATIENCE_MILLIS + due.size(), TimeUnit.MILLISECONDS)
          .updateMany(stillDue, update, BY_ID);
      return true;
    } catch (MongoException failed) {
      if (!MongoErrors.isTimeout(failed)) {
        throw failed;
      }
      return false;
    }
  }

  /** Returns the marked commands in the order in which they were due. */
  private List<CommandClaim> marked(List<BsonValue> due, BsonObjectId mark) {
    Map<BsonValue, BsonDocument> documents = new HashMap<>();
    commands
        .find(CommandFilters.among(due).append(CommandDocument.CLAIM, mark))
        .forEach(document -> documents.put(document.get(MessageDocument.ID), document));
    return due.stream()
        .filter(documents::containsKey)
        .map(documents::get)
        .map(CommandDocument::claim)
        .toList();
  }
}
