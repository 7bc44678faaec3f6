package io.postroad.example.wiki.domain;

import java.time.Instant;
import java.util.Set;

/**
 * The data of a picture of a page; its bytes are stored elsewhere.
 *
 * @param width in pixels, like the height
 */
public record Media(
    String mediaId,
    String pageId,
    String fileName,
    String contentType,
    long width,
    long height,
    Instant uploadedAt) {
  private static final Set<String> TYPES =
      Set.of("image/gif", "image/jpeg", "image/png", "image/webp");
  private static final int MAX_SIDE = 100_000;

  public Media {
    Slug.require("media_id", mediaId);
    Slug.require("page_id", pageId);
    Lengths.require("file_name", fileName, Lengths.FILE_NAME);
    if (!TYPES.contains(contentType)) {
      throw RefusedException.invalid(
          "content_type", "must be one of " + TYPES.stream().sorted().toList());
    }
    requireSide("width", width);
    requireSide("height", height);
  }

  private static void requireSide(String field, long side) {
    if (side < 1 || side > MAX_SIDE) {
      throw RefusedException.invalid(field, "must be 1 to %d pixels".formatted(MAX_SIDE));
    }
  }
}
