package io.postroad.example.wiki.work;

import com.mongodb.client.ClientSession;
import io.postroad.example.wiki.domain.Draft;
import io.postroad.example.wiki.domain.Media;
import io.postroad.example.wiki.domain.MediaUploaded;
import io.postroad.example.wiki.domain.PageRevisionCreated;
import io.postroad.example.wiki.domain.RefusedException;
import io.postroad.example.wiki.domain.Revision;
import io.postroad.example.wiki.store.MediaLibrary;
import io.postroad.example.wiki.store.Revisions;
import io.postroad.example.wiki.store.Wiki;
import io.postroad.outbox.Outbox;
import io.postroad.transaction.Transactions;
import java.time.InstantSource;
import java.util.List;

/**
 * Stores user input and appends its events, in one transaction.
 *
 * <p>Without transactions these are two writes. A crash between them leaves a revision without
 * events, until {@link Reconcilers} find it.
 *
 * <p>Thread-safe.
 */
public final class Editor {
  private final Transactions<ClientSession> transactions;
  private final Outbox<ClientSession> outbox;
  private final Revisions revisions;
  private final MediaLibrary media;
  private final Events events;
  private final InstantSource clock;

  public Editor(
      Transactions<ClientSession> transactions,
      Outbox<ClientSession> outbox,
      Wiki wiki,
      Events events,
      InstantSource clock) {
    this.transactions = transactions;
    this.outbox = outbox;
    this.revisions = wiki.revisions();
    this.media = wiki.media();
    this.events = events;
    this.clock = clock;
  }

  /**
   * Saves a draft as the new head of its page.
   *
   * @throws RefusedException if its base revision is not the head
   */
  public Revision save(Draft draft) {
    Revision revision = Revision.of(draft, clock.instant());
    PageRevisionCreated event = PageRevisionCreated.of(revision);
    transactions.run(
        session -> {
          requireHead(session, draft);
          revisions.insert(session, revision);
          outbox.appendAll(session, List.of(events.toRender(event), events.toIndex(event)));
        });
    return revision;
  }

  private void requireHead(ClientSession session, Draft draft) {
    long head = revisions.head(session, draft.pageId()).map(Revision::revisionId).orElse(0L);
    if (head != draft.baseRevision()) {
      throw head == 0
          ? RefusedException.conflict(
              "base_revision", "must be 0, because there is no such page yet")
          : Revisions.outdated(head);
    }
  }

  /**
   * Stores a picture of a page.
   *
   * @throws RefusedException if the page does not exist, or if a picture has this id
   */
  public void upload(Media picture) {
    transactions.run(
        session -> {
          if (revisions.head(session, picture.pageId()).isEmpty()) {
            throw RefusedException.notFound("page_id", "is of no page");
          }
          media.insert(session, picture);
          outbox.append(
              session, events.toShrink(new MediaUploaded(picture.mediaId(), picture.pageId())));
        });
  }
}
