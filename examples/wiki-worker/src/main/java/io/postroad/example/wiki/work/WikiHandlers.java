package io.postroad.example.wiki.work;

import com.mongodb.client.ClientSession;
import io.postroad.example.wiki.domain.Media;
import io.postroad.example.wiki.domain.MediaUploaded;
import io.postroad.example.wiki.domain.PageRevisionCreated;
import io.postroad.example.wiki.domain.RefusedException;
import io.postroad.example.wiki.domain.Revision;
import io.postroad.example.wiki.domain.Snapshot;
import io.postroad.example.wiki.domain.Thumbnail;
import io.postroad.example.wiki.domain.WikiText;
import io.postroad.example.wiki.store.MediaLibrary;
import io.postroad.example.wiki.store.Revisions;
import io.postroad.example.wiki.store.SearchIndex;
import io.postroad.example.wiki.store.Snapshots;
import io.postroad.example.wiki.store.Wiki;
import io.postroad.inbox.HandlerContext;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.JsonHandler;
import io.postroad.inbox.PermanentFailure;
import io.postroad.inbox.RetryableFailure;
import io.postroad.message.JsonCodec;

/**
 * Handles events. Each handler runs in the transaction that also settles its event. Without
 * transactions it may run again after a crash. So all handlers write under a key that derives from
 * the event, and a second run changes nothing.
 *
 * <p>Thread-safe.
 */
public final class WikiHandlers {
  private final Revisions revisions;
  private final Snapshots snapshots;
  private final SearchIndex index;
  private final MediaLibrary media;

  public WikiHandlers(Wiki wiki) {
    this.revisions = wiki.revisions();
    this.snapshots = wiki.snapshots();
    this.index = wiki.index();
    this.media = wiki.media();
  }

  /** Returns all handlers, by stream and type. */
  public Handlers<ClientSession> handlers(JsonCodec codec) {
    return Handlers.<ClientSession>builder()
        .on(
            Streams.WIKI,
            PageRevisionCreated.TYPE,
            "render",
            JsonHandler.of(
                codec,
                PageRevisionCreated.class,
                (event, message, context) -> render(event, context)))
        .on(
            Streams.SEARCH,
            PageRevisionCreated.TYPE,
            "index",
            JsonHandler.of(
                codec,
                PageRevisionCreated.class,
                (event, message, context) -> index(event, context)))
        .on(
            Streams.MEDIA,
            MediaUploaded.TYPE,
            "thumbnails",
            JsonHandler.of(
                codec, MediaUploaded.class, (event, message, context) -> shrink(event, context)))
        .build();
  }

  private void render(PageRevisionCreated event, HandlerContext<ClientSession> context) {
    ClientSession session = context.transaction();
    Revision revision = revision(session, event);
    snapshots.put(
        session,
        new Snapshot(
            revision.pageId(), revision.revisionId(), revision.title(), html(session, revision)));
  }

  private String html(ClientSession session, Revision revision) {
    try {
      return WikiText.render(revision.text(), included -> textOf(session, revision, included));
    } catch (RefusedException tooLong) {
      throw new PermanentFailure("%s: %s".formatted(revision.key(), tooLong.getMessage()));
    }
  }

  /**
   * Returns the text of an included page. A missing page may exist later, so it is retried; a page
   * that includes itself fails for good.
   */
  private String textOf(ClientSession session, Revision revision, String included) {
    if (included.equals(revision.pageId())) {
      throw new PermanentFailure("page '%s' includes itself".formatted(included));
    }
    return revisions
        .head(session, included)
        .map(Revision::text)
        .orElseThrow(
            () ->
                new RetryableFailure(
                    "page '%s', which %s includes, does not exist"
                        .formatted(included, revision.key())));
  }

  private void index(PageRevisionCreated event, HandlerContext<ClientSession> context) {
    ClientSession session = context.transaction();
    index.put(session, revision(session, event));
  }

  private void shrink(MediaUploaded event, HandlerContext<ClientSession> context) {
    ClientSession session = context.transaction();
    Media picture =
        media
            .find(session, event.mediaId())
            .orElseThrow(() -> new PermanentFailure("no picture '%s'".formatted(event.mediaId())));
    Thumbnail.of(picture).forEach(thumbnail -> media.put(session, thumbnail));
  }

  private Revision revision(ClientSession session, PageRevisionCreated event) {
    return revisions
        .find(session, event.pageId(), event.revisionId())
        .orElseThrow(
            () ->
                new PermanentFailure(
                    "no revision '%s'"
                        .formatted(Revision.key(event.pageId(), event.revisionId()))));
  }
}
