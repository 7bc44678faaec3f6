package io.postroad.example.wiki.work;

import io.postroad.example.wiki.domain.Media;
import io.postroad.example.wiki.domain.MediaUploaded;
import io.postroad.example.wiki.domain.PageRevisionCreated;
import io.postroad.example.wiki.domain.Thumbnail;
import io.postroad.example.wiki.store.Wiki;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.Reconciler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Compares user input with its results, and appends the events that a crash has lost, for the mode
 * without transactions. Every revision has a snapshot; only heads are in the index. One node at a
 * time reconciles.
 *
 * <p>Thread-safe.
 */
public final class Reconcilers implements AutoCloseable {
  private final List<Reconciler<?>> all;

  public Reconcilers(MongoCompetingStore store, Wiki wiki, Events events, InstantSource clock) {
    Reconciler<PageRevisionCreated> rendered =
        Reconciler.of(
            store,
            "snapshots",
            new Reconciler.Queries<>(
                new Recent<>(wiki.revisions()::since, clock),
                revision -> wiki.snapshots().exists(revision.pageId(), revision.revisionId()),
                events::toRender));
    Reconciler<PageRevisionCreated> indexed =
        Reconciler.of(
            store,
            "search",
            new Reconciler.Queries<>(
                new Recent<>(wiki.revisions()::headsSince, clock),
                head -> wiki.index().has(head.pageId(), head.revisionId()),
                events::toIndex));
    Reconciler<Media> shrunk =
        Reconciler.of(
            store,
            "thumbnails",
            new Reconciler.Queries<>(
                new Recent<>(wiki.media()::uploadedSince, clock),
                picture ->
                    wiki.media().thumbnails(picture.mediaId()).size()
                        == Thumbnail.of(picture).size(),
                picture ->
                    events.toShrink(new MediaUploaded(picture.mediaId(), picture.pageId()))));
    all = List.of(rendered, indexed, shrunk);
  }

  /** Runs now, and again after each interval. */
  public void start(Duration every) {
    all.forEach(reconciler -> reconciler.start(every));
  }

  @Override
  public void close() {
    all.forEach(Reconciler::close);
  }
}
