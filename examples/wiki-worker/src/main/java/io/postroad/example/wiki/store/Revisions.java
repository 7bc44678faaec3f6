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
 * Stores user input in {@code page_revisions}. An edit is one insert, and its {@code _id} decides
 * which of two edits was first. So a crash cannot leave another document behind that is out of
 * date.
 *
 * <p>Thread-safe. With a session it joins the transaction of the session, if there is one.
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
   * @throws RefusedException if a revision with this number exists
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

  /** Returns the refusal for an edit of a revision that is no longer the head. */
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

  /** Returns the latest revisions of a page, newest first. */
  public List<Revision> history(String pageId, int limit) {
    return ofPage(pageId).limit(limit).map(Revisions::revision).into(new ArrayList<>());
  }

  /** Returns the latest edits of all pages, newest first. */
  public List<Revision> latest(int limit) {
    return revisions
        .find()
        .sort(Sorts.descending(Fields.CREATED_AT))
        .limit(limit)
        .map(Revisions::revision)
        .into(new ArrayList<>());
  }

  /** Returns all revisions since a time. */
  public Iterable<PageRevisionCreated> since(Instant since) {
    return revisions
        .find(Filters.gte(Fields.CREATED_AT, Date.from(since)))
        .projection(Projections.include(Fields.PAGE_ID, Fields.REVISION_ID))
        .map(
            revision ->
                new PageRevisionCreated(
                    revision.getString(Fields.PAGE_ID), revision.getLong(Fields.REVISION_ID)));
  }

  /** Returns the heads of pages that were edited since a time. */
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
