package io.postroad.example.wiki.web;

import io.postroad.admin.OutboxAdmin;
import io.postroad.example.wiki.domain.Revision;
import io.postroad.example.wiki.work.Events;
import io.postroad.store.MessageStatus;
import java.util.Optional;

/** Tells whether a revision without a snapshot will still be rendered. Thread-safe. */
final class Rendering {
  private final OutboxAdmin admin;

  Rendering(OutboxAdmin admin) {
    this.admin = admin;
  }

  /** Returns the reason why the revision is not rendered any more; empty while it is tried. */
  Optional<String> whyNot(Revision revision) {
    return admin
        .find(Events.toRender(revision.pageId(), revision.revisionId()))
        .filter(event -> event.status() == MessageStatus.FAILED)
        .map(event -> event.lastError().orElse("no reason is known"));
  }
}
