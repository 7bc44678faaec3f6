package io.postroad.example.wiki.store;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import io.postroad.example.wiki.domain.PageRevisionCreated;
import io.postroad.example.wiki.domain.RefusedException;
import io.postroad.example.wiki.domain.Revision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * {@code page_revisions}: what people wrote. An edit is one insert, and its {@code _id} decides who
 * was first; so there is no other document that a crash could leave behind the times.
 *
 * <p>Safe to use from many threads. With a session it joins its transaction, if that has one.
 */
public final class Revisions {
  static final String COLLECTION = "page_revisions";
  private static final Bson NEWEST_FIRST = Sorts.descending(Fields.REVISION_ID);

  private final MongoCollection<Document> revisions;

  public Revisions(WikiDatabase database) {
    this.revisions = database.collection(COLLECTION);
  }

  /**
   * Stores a new head.
   *
   * @throws RefusedException when somebody else has stored a revision of this number
   */
  public void insert(ClientSession session, Revision revision) {
    try {
      revisions.insertOne(session, document(revision));
    } catch (MongoWriteException failed) {
      if (ErrorCategory.fromErrorCode(failed.getError().getCode()) == ErrorCategory.DUPLICATE_KEY) {
        throw outdated(revision.revisionId());
      }
      throw failed;
    }
  }

  /** What is said to somebody who edited a revision that is no longer the head. */
  public static RefusedException outdated(long head) {
    return RefusedException.conflict(
        "base_revision",
        "is not the latest: the page has revision %d now; read it and edit that".formatted(head));
  }

  public Optional<Revision> head(String pageId) {
    return Optional.ofNullable(ofPage(pageId).first()).map(Revisions::revision);
  }

  public Optional<Revision> head(ClientSession session, String pageId) {
    return Optional.ofNullable(
            revisions.find(session, Filters.eq(Fields.PAGE_ID, pageId)).sort(NEWEST_FIRST).first())
        .map(Revisions::revision);
  }

  public Optional<Revision> find(ClientSession session, String pageId, long revisionId) {
    return Optional.ofNullable(
            revisions
                .find(session, Filters.eq(Fields.ID, Revision.key(pageId, revisionId)))
                .first())
        .map(Revisions::revision);
  }

  /** The latest of a page, newest first. */
  public List<Revision> history(String pageId, int limit) {
    return ofPage(pageId).limit(limit).map(Revisions::revision).into(new ArrayList<>());
  }

  /** The latest edits of all pages, newest first. */
  public List<Revision> latest(int limit) {
    return revisions
        .find()
        .sort(Sorts.descending(Fields.CREATED_AT))
        .limit(limit)
        .map(Revisions::revision)
        .into(new ArrayList<>());
  }

  /** All revisions since then. */
  public Iterable<PageRevisionCreated> since(Instant since) {
    return revisions
        .find(Filters.gte(Fields.CREATED_AT, Date.from(since)))
        .projection(Projections.include(Fields.PAGE_ID, Fields.REVISION_ID))
        .map(
            revision ->
                new PageRevisionCreated(
                    revision.getString(Fields.PAGE_ID), revision.getLong(Fields.REVISION_ID)));
  }

  /** The heads of pages that were edited since then. */
  public Iterable<PageRevisionCreated> headsSince(Instant since) {
    return revisions
        .aggregate(
            List.of(
                Aggregates.match(Filters.gte(Fields.CREATED_AT, Date.from(since))),
                Aggregates.project(Projections.include(Fields.PAGE_ID, Fields.REVISION_ID)),
                Aggregates.group(
                    "$" + Fields.PAGE_ID,
                    Accumulators.max(Fields.REVISION_ID, "$" + Fields.REVISION_ID))))
        .allowDiskUse(true)
        .map(
            head ->
                new PageRevisionCreated(
                    head.getString(Fields.ID), head.getLong(Fields.REVISION_ID)));
  }

  private FindIterable<Document> ofPage(String pageId) {
    return revisions.find(Filters.eq(Fields.PAGE_ID, pageId)).sort(NEWEST_FIRST);
  }

  private static Document document(Revision revision) {
    return new Document(Fields.ID, revision.key())
        .append(Fields.PAGE_ID, revision.pageId())
        .append(Fields.REVISION_ID, revision.revisionId())
        .append(Fields.TITLE, revision.title())
        .append(Fields.TEXT, revision.text())
        .append(Fields.AUTHOR, revision.author())
        .append(Fields.CREATED_AT, Date.from(revision.createdAt()));
  }

  private static Revision revision(Document document) {
    return new Revision(
        document.getString(Fields.PAGE_ID),
        document.getLong(Fields.REVISION_ID),
        document.getString(Fields.TITLE),
        document.getString(Fields.TEXT),
        document.getString(Fields.AUTHOR),
        document.getDate(Fields.CREATED_AT).toInstant());
  }
}
