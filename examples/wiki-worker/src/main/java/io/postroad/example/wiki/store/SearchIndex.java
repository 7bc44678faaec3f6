package io.postroad.example.wiki.store;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import io.postroad.example.wiki.domain.Revision;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Stores {@code search_index}: one document per page, with the revision of its content.
 *
 * <p>Events arrive in any order, and repeatedly. So the server decides in the update itself whether
 * a revision is newer. An upsert that searches for an older document would fail with a duplicate
 * key if a newer one exists, which ends a transaction.
 *
 * <p>Thread-safe.
 */
public final class SearchIndex {
  static final String COLLECTION = "search_index";
  private static final String SCORE = "score";

  private final MongoCollection<Document> index;

  /** A found page. */
  public record Hit(String pageId, long revisionId, String title, String text) {}

  public SearchIndex(WikiDatabase database) {
    this.index = database.collection(COLLECTION);
  }

  /** Indexes a revision, unless a newer one is indexed. */
  public void put(ClientSession session, Revision revision) {
    Document document =
        new Document(Fields.ID, revision.pageId())
            .append(Fields.REVISION_ID, revision.revisionId())
            .append(Fields.TITLE, revision.title())
            .append(Fields.TEXT, revision.text());
    Bson isNewer =
        new Document(
            "$gt",
            List.of(
                revision.revisionId(),
                new Document("$ifNull", List.of("$" + Fields.REVISION_ID, 0L))));
    // As literals, because user input may begin with a dollar.
    Bson newest =
        new Document(
            "$replaceWith",
            new Document("$cond", List.of(isNewer, new Document("$literal", document), "$$ROOT")));
    index.updateOne(
        session,
        Filters.eq(Fields.ID, revision.pageId()),
        List.of(newest),
        new UpdateOptions().upsert(true));
  }

  /** Returns whether this revision or a newer one is indexed. */
  public boolean has(String pageId, long revisionId) {
    return index
            .find(
                Filters.and(
                    Filters.eq(Fields.ID, pageId), Filters.gte(Fields.REVISION_ID, revisionId)))
            .projection(Projections.include(Fields.ID))
            .first()
        != null;
  }

  /** Returns the found pages, the best first. */
  public List<Hit> search(String words, int limit) {
    return index
        .find(Filters.text(words))
        .projection(Projections.metaTextScore(SCORE))
        .sort(Sorts.metaTextScore(SCORE))
        .limit(limit)
        .map(
            found ->
                new Hit(
                    found.getString(Fields.ID),
                    found.getLong(Fields.REVISION_ID),
                    found.getString(Fields.TITLE),
                    found.getString(Fields.TEXT)))
        .into(new ArrayList<>());
  }
}
