package io.postroad.example.wiki.web;

import io.postroad.admin.OutboxAdmin;
import io.postroad.example.wiki.domain.Revision;
import io.postroad.example.wiki.work.Events;
import io.postroad.store.MessageStatus;
import java.util.Optional;

/** Whether a revision that is not rendered yet will be. Safe to use from many threads. */
final class Rendering {
  private final OutboxAdmin admin;

  Rendering(OutboxAdmin admin) {
    this.admin = admin;
  }

  /** Why nobody tries it any more; empty while somebody does. */
  Optional<String> whyNot(Revision revision) {
    return admin
        .find(Events.toRender(revision.pageId(), revision.revisionId()))
        .filter(event -> event.status() == MessageStatus.FAILED)
        .map(event -> event.lastError().orElse("no reason is known"));
  }
}
