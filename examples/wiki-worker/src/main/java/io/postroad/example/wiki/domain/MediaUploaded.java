package io.postroad.example.wiki.domain;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A picture was uploaded. */
public record MediaUploaded(
    @JsonProperty("media_id") String mediaId, @JsonProperty("page_id") String pageId) {
  public static final String TYPE = "MediaUploaded";
}
