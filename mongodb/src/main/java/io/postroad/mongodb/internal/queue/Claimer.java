package io.postroad.mongodb.internal.queue;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import io.postroad.message.MessageIds;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Look;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CLAIM: takes due messages under a lease. One message is one {@code findOneAndUpdate}. Many are
 * three round trips: look which are due, mark those that still are with the number of this claim,
 * read what was marked. Claimers that look at the same moment get what they marked, so some get
 * less, and look again.
 */
public final class Claimer {
  private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);
  private static final int ROUNDS = 4;

  /**
   * Others only hold a document while it is written; longer than this it is the lock of a
   * transaction.
   */
  private static final long PATIENCE_MILLIS = 2_000;

  private static final long SHORT_PATIENCE_MILLIS = 500;
  private static final int MOST_HELD = 20;

  private static final Comparator<Found> LONGEST_DUE_FIRST = Comparator.comparingLong(Found::since);

  /** Else the planner might walk through all that is due to find the few that are named. */
  private static final UpdateOptions BY_ID =
      new UpdateOptions().hint(new BsonDocument(MessageDocument.ID, new BsonInt32(1)));

  private final MongoCollection<BsonDocument> outbox;
  private final MongoCollection<BsonDocument> latest;
  private final ServerTime time;
  private final QueueForm form;
  private final Intake intake;
  private final Exclusive exclusive;
  private final Settler settler;
  private final boolean streams;

  public Claimer(Database database, QueueForm form, Settler settler, Exclusive exclusive) {
    this.form = form;
    this.intake = new Intake(database, form);
    this.exclusive = exclusive;
    this.outbox = form.collection(database);
    this.latest = Database.latest(outbox);
    this.time = database.time();
    this.settler = settler;
    this.streams = database.options().streams();
  }

  public List<Claim> claim(ClaimRequest request) {
    request.destination().ifPresent(this::requireStreams);
    return Database.call(
        "claim messages",
        () -> {
          if (!exclusive.mayClaim(request.leaseFor())) {
            return List.of();
          }
          intake.beforeClaim();
          List<Look> looks = looks(request);
          return request.limit() == 1 && looks.size() == 1
              ? one(request, looks.get(0))
              : many(request);
        });
  }

  private void requireStreams(String destination) {
    if (!streams) {
      throw new IllegalStateException(
          "cannot claim messages of destination %s only: this store has no index for it; open it with"
                  .formatted(destination)
              + " MongoOptions.withStreams(true), the first time with SchemaMode.MIGRATE");
    }
  }

  private List<Look> looks(ClaimRequest request) {
    return request
        .destination()
        .map(destination -> form.looks(destination, time))
        .orElseGet(() -> form.looks(time));
  }

  private List<Claim> one(ClaimRequest request, Look look) {
    @Nullable BsonDocument claimed;
    try {
      claimed =
          impatient(PATIENCE_MILLIS)
              .findOneAndUpdate(
                  look.which(),
                  update(request, new BsonObjectId()),
                  new FindOneAndUpdateOptions()
                      .sort(look.order())
                      .hintString(look.index().orElse(null))
                      .returnDocument(ReturnDocument.AFTER));
    } catch (MongoException failed) {
      return pastHeldOnes(request, 1, failed);
    }
    return claimed == null ? List.of() : readable(List.of(claimed));
  }

  private List<Claim> many(ClaimRequest request) {
    List<Claim> claims = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      int wanted = request.limit() - claims.size();
      List<BsonValue> due = due(request, wanted);
      List<Claim> taken = due.isEmpty() ? List.of() : take(request, due);
      claims.addAll(taken);
      if (due.size() < wanted || taken.size() == due.size()) {
        break;
      }
    }
    return claims;
  }

  /** The ids of documents that are due, those for longest first. */
  private List<BsonValue> due(ClaimRequest request, int limit) {
    List<Look> looks = looks(request);
    List<Found> found = new ArrayList<>();
    for (Look look : looks) {
      look.first(latest, limit)
          .projection(
              new BsonDocument(MessageDocument.ID, new BsonInt32(1))
                  .append(look.by(), new BsonInt32(1))
                  .append(form.names().times().createdAt(), new BsonInt32(1)))
          .forEach(
              document ->
                  found.add(Found.of(document, look.by(), form.names().times().createdAt())));
    }
    Stream<Found> inOrder =
        looks.size() == 1 ? found.stream() : found.stream().sorted(LONGEST_DUE_FIRST);
    return inOrder.limit(limit).map(Found::id).toList();
  }

  /** A document that is due, since when. */
  private record Found(BsonValue id, long since) {
    static Found of(BsonDocument document, String by, String otherwise) {
      String field = document.isDateTime(by) ? by : otherwise;
      return new Found(
          document.get(MessageDocument.ID, BsonNull.VALUE),
          document.isDateTime(field) ? document.getDateTime(field).getValue() : Long.MIN_VALUE);
    }
  }

  private List<Claim> take(ClaimRequest request, List<BsonValue> due) {
    BsonObjectId mark = new BsonObjectId();
    BsonDocument stillDue = form.due(time).append(MessageDocument.ID, Bson.in(due));
    try {
      impatient(PATIENCE_MILLIS + due.size()).updateMany(stillDue, update(request, mark), BY_ID);
    } catch (MongoException failed) {
      List<Claim> marked = new ArrayList<>(marked(due, mark));
      marked.addAll(pastHeldOnes(request, due.size() - marked.size(), failed));
      return marked;
    }
    return marked(due, mark);
  }

  /** Returns the marked documents in the order of their due times. */
  private List<Claim> marked(List<BsonValue> due, BsonObjectId mark) {
    Map<BsonValue, BsonDocument> documents = new HashMap<>();
    outbox
        .find(
            new BsonDocument(MessageDocument.ID, Bson.in(due))
                .append(form.names().marks().claim(), mark))
        .forEach(document -> documents.put(document.get(MessageDocument.ID), document));
    return readable(due.stream().filter(documents::containsKey).map(documents::get).toList());
  }

  /**
   * An update waits for a transaction that has changed the document and is still open: of a handler
   * that settles after its lease, or of another client. Go round it, one by one.
   */
  private List<Claim> pastHeldOnes(ClaimRequest request, int limit, MongoException failed) {
    if (!MongoErrors.isTimeout(failed)) {
      throw failed;
    }
    LOG.warn(
        "mongodb: a claim goes round messages that an open transaction holds: a handler takes longer"
            + " than its lease, or something else writes to the outbox; raise the lease, or end it");
    BsonObjectId mark = new BsonObjectId();
    List<BsonValue> taken = new ArrayList<>();
    int held = 0;
    for (BsonValue id : due(request, limit + MOST_HELD)) {
      if (taken.size() == limit || held == MOST_HELD) {
        break;
      }
      BsonDocument stillDue = form.due(time).append(MessageDocument.ID, id);
      try {
        impatient(SHORT_PATIENCE_MILLIS).updateOne(stillDue, update(request, mark), BY_ID);
      } catch (MongoException again) {
        if (!MongoErrors.isTimeout(again)) {
          throw again;
        }
        held++;
      }
      taken.add(id);
    }
    return marked(taken, mark);
  }

  private MongoCollection<BsonDocument> impatient(long millis) {
    return outbox.withTimeout(millis, TimeUnit.MILLISECONDS);
  }

  private List<BsonDocument> update(ClaimRequest request, BsonObjectId mark) {
    return List.of(Bson.set(form.taken(request, mark, time)));
  }

  private List<Claim> readable(List<BsonDocument> claimed) {
    intake.identify(claimed);
    List<Claim> claims = new ArrayList<>(claimed.size());
    for (BsonDocument document : claimed) {
      try {
        claims.add(form.claim(document));
      } catch (IllegalArgumentException wrong) {
        bury(document, "the document cannot be read as a message: " + wrong.getMessage());
      }
    }
    return claims;
  }

  /** Such a document must neither hold up the others of its batch nor come back for ever. */
  private void bury(BsonDocument document, String error) {
    boolean hasId = form.hasId(document);
    UUID id = hasId ? form.id(document) : MessageIds.next();
    String why = hasId ? error : error + "; its _id was: " + foreignId(document);
    String brief = why.substring(0, Math.min(512, why.length()));
    LOG.error(
        "mongodb: message {} is a dead letter; correct its document and replay it; error={}",
        id,
        brief);
    try {
      if (hasId) {
        settler.bury(id, form.token(document), brief);
      } else {
        settler.bury(document, id, brief);
      }
    } catch (MongoException | PostroadException failed) {
      LOG.warn(
          "mongodb: message {} stays leased and is looked at again; error={}",
          id,
          failed.getMessage());
    }
  }

  private static String foreignId(BsonDocument document) {
    return new BsonDocument(MessageDocument.ID, document.get(MessageDocument.ID, BsonNull.VALUE))
        .toJson();
  }
}
