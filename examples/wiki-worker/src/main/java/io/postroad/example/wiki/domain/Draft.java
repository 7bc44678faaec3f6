package io.postroad.example.wiki.domain;

/**
 * A new version of a page. The constructor checks all fields.
 *
 * @param baseRevision the edited revision; 0 for a new page
 */
public record Draft(String pageId, long baseRevision, String title, String text, String author) {
  public Draft {
    Slug.require("page_id", pageId);
    if (baseRevision < 0) {
      throw RefusedException.invalid("base_revision", "must be 0 (a new page) or more");
    }
    Lengths.require("title", title, Lengths.TITLE);
    Lengths.require("text", text, Lengths.TEXT);
    Lengths.require("author", author, Lengths.AUTHOR);
  }
}
