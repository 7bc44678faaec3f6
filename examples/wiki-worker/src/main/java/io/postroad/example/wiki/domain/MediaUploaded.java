package io.postroad.example.wiki.domain;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The event of an uploaded picture. */
public record MediaUploaded(
    @JsonProperty("media_id") String mediaId, @JsonProperty("page_id") String pageId) {
  public static final String TYPE = "MediaUploaded";
}
