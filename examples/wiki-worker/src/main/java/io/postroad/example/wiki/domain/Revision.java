package io.postroad.example.wiki.domain;

import java.time.Instant;

/**
 * A page as it was saved once. Never changed; the one with the highest number is the head.
 *
 * @param revisionId 1 for the first of a page, without gaps
 */
public record Revision(
    String pageId, long revisionId, String title, String text, String author, Instant createdAt) {

  /** The draft as the successor of the revision it was made from. */
  public static Revision of(Draft draft, Instant now) {
    return new Revision(
        draft.pageId(), draft.baseRevision() + 1, draft.title(), draft.text(), draft.author(), now);
  }

  /** What names it, and its snapshot. */
  public String key() {
    return key(pageId, revisionId);
  }

  public static String key(String pageId, long revisionId) {
    return pageId + ":" + revisionId;
  }
}
