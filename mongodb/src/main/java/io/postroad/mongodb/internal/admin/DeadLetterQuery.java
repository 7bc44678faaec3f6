package io.postroad.mongodb.internal.admin;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.spi.DeadLetterStore;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** The queries for dead letters. */
public final class DeadLetterQuery {
  private DeadLetterQuery() {}

  public static Set<UUID> distinct(Collection<UUID> ids) {
    DeadLetterStore.checkIds(ids);
    return new LinkedHashSet<>(ids);
  }

  static PostroadException idIsTaken(UUID dead, Message replacement) {
    return new PostroadException(
        "could not replace dead letter %s: a message with id %s is stored already; nothing was"
                .formatted(dead, replacement.id())
            + " changed. Give the replacement an id of its own");
  }

  /** From the longest dead to the latest; those of one time by id. */
  static BsonDocument order(String diedAt, String idField) {
    return new BsonDocument(diedAt, new BsonInt32(1)).append(idField, new BsonInt32(1));
  }

  /** Narrows a query for all dead letters. */
  public static BsonDocument narrowed(
      BsonDocument all, DeadLetterFilter filter, Optional<DeadLetter.Mark> after, String idField) {
    BsonDocument query = all.clone();
    filter.destination().ifPresent(text -> equal(query, MessageDocument.DESTINATION, text));
    filter.type().ifPresent(text -> equal(query, MessageDocument.TYPE, text));
    filter.key().ifPresent(text -> equal(query, MessageDocument.KEY, text));
    filter
        .errorContains()
        .ifPresent(
            part -> query.append("$expr", errorContains(DeadLetterDocument.LAST_ERROR, part)));
    BsonDocument died = new BsonDocument();
    filter.diedBefore().ifPresent(time -> died.append("$lt", MessageDocument.time(time)));
    Optional<BsonDateTime> mark = after.map(DeadLetterQuery::time);
    filter
        .diedFrom()
        .map(MessageDocument::time)
        .filter(from -> mark.isEmpty() || from.compareTo(mark.get()) > 0)
        .or(() -> mark)
        .ifPresent(from -> died.append("$gte", from));
    if (!died.isEmpty()) {
      BsonDocument known =
          query.isDocument(DeadLetterDocument.DIED_AT)
              ? query.getDocument(DeadLetterDocument.DIED_AT).clone()
              : new BsonDocument();
      known.putAll(died);
      query.append(DeadLetterDocument.DIED_AT, known);
    }
    after.ifPresent(last -> query.append("$or", behind(last, idField)));
    return query;
  }

  private static BsonArray behind(DeadLetter.Mark last, String idField) {
    BsonDateTime time = time(last);
    BsonDocument higherId = new BsonDocument("$gt", MessageDocument.id(last.id()));
    return new BsonArray(
        List.of(
            new BsonDocument(DeadLetterDocument.DIED_AT, new BsonDocument("$gt", time)),
            new BsonDocument(DeadLetterDocument.DIED_AT, time).append(idField, higherId)));
  }

  private static BsonDateTime time(DeadLetter.Mark mark) {
    Instant died = mark.diedAt();
    return new BsonDateTime(died.toEpochMilli());
  }

  private static void equal(BsonDocument query, String field, String text) {
    query.append(field, new BsonString(text));
  }

  /** By comparing, not by pattern, so that no character means anything. */
  public static BsonDocument errorContains(String field, String part) {
    BsonString error = Bson.field(field);
    BsonDocument isText =
        Bson.of("$eq", new BsonDocument("$type", error), new BsonString("string"));
    BsonDocument text = Bson.of("$cond", isText, error, new BsonString(""));
    return Bson.of("$gte", Bson.of("$indexOfBytes", text, Bson.literal(part)), new BsonInt32(0));
  }
}
