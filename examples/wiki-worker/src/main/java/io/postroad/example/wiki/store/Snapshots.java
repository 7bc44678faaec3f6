package io.postroad.example.wiki.store;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Sorts;
import io.postroad.example.wiki.domain.Revision;
import io.postroad.example.wiki.domain.Snapshot;
import java.util.Optional;
import org.bson.Document;

/**
 * Stores rendered revisions in {@code page_snapshots}, {@code _id = page_id:revision_id}. Storing a
 * snapshot twice has no further effect.
 *
 * <p>Thread-safe.
 */
public final class Snapshots {
  static final String COLLECTION = "page_snapshots";

  private final MongoCollection<Document> snapshots;

  public Snapshots(WikiDatabase database) {
    this.snapshots = database.collection(COLLECTION);
  }

  public void put(ClientSession session, Snapshot snapshot) {
    String key = Revision.key(snapshot.pageId(), snapshot.revisionId());
    snapshots.replaceOne(
        session,
        Filters.eq(Fields.ID, key),
        new Document(Fields.ID, key)
            .append(Fields.PAGE_ID, snapshot.pageId())
            .append(Fields.REVISION_ID, snapshot.revisionId())
            .append(Fields.TITLE, snapshot.title())
            .append(Fields.HTML, snapshot.html()),
        new ReplaceOptions().upsert(true));
  }

  public boolean exists(String pageId, long revisionId) {
    return snapshots
            .find(Filters.eq(Fields.ID, Revision.key(pageId, revisionId)))
            .projection(Projections.include(Fields.ID))
            .first()
        != null;
  }

  public Optional<Snapshot> find(String pageId, long revisionId) {
    return Optional.ofNullable(
            snapshots.find(Filters.eq(Fields.ID, Revision.key(pageId, revisionId))).first())
        .map(Snapshots::snapshot);
  }

  /** Returns the newest snapshot of a page. */
  public Optional<Snapshot> newest(String pageId) {
    return Optional.ofNullable(
            snapshots
                .find(Filters.eq(Fields.PAGE_ID, pageId))
                .sort(Sorts.descending(Fields.REVISION_ID))
                .first())
        .map(Snapshots::snapshot);
  }

  private static Snapshot snapshot(Document document) {
    return new Snapshot(
        document.getString(Fields.PAGE_ID),
        document.getLong(Fields.REVISION_ID),
        document.getString(Fields.TITLE),
        document.getString(Fields.HTML));
  }
}
