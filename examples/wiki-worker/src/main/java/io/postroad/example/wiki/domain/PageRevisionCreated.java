package io.postroad.example.wiki.domain;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A page was saved. The text is not in it: whoever wants it reads the revision. */
public record PageRevisionCreated(
    @JsonProperty("page_id") String pageId, @JsonProperty("revision_id") long revisionId) {
  public static final String TYPE = "PageRevisionCreated";

  public static PageRevisionCreated of(Revision revision) {
    return new PageRevisionCreated(revision.pageId(), revision.revisionId());
  }
}
