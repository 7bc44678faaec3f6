package io.postroad.example.wiki.domain;

import java.time.Instant;

/**
 * A saved version of a page, which never changes. The revision with the highest number is the head.
 *
 * @param revisionId 1 for the first revision of a page, without gaps
 */
public record Revision(
    String pageId, long revisionId, String title, String text, String author, Instant createdAt) {

  /** Creates the successor of the draft's base revision. */
  public static Revision of(Draft draft, Instant now) {
    return new Revision(
        draft.pageId(), draft.baseRevision() + 1, draft.title(), draft.text(), draft.author(), now);
  }

  /** Returns the key of the revision and of its snapshot. */
  public String key() {
    return key(pageId, revisionId);
  }

  public static String key(String pageId, long revisionId) {
    return pageId + ":" + revisionId;
  }
}
