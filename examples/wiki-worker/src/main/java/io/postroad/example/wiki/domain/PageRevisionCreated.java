package io.postroad.example.wiki.domain;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The event of a saved page. It has no text: handlers read the revision. */
public record PageRevisionCreated(
    @JsonProperty("page_id") String pageId, @JsonProperty("revision_id") long revisionId) {
  public static final String TYPE = "PageRevisionCreated";

  public static PageRevisionCreated of(Revision revision) {
    return new PageRevisionCreated(revision.pageId(), revision.revisionId());
  }
}
