package io.postroad.example.wiki.domain;

import java.util.List;

/**
 * A small version of a picture, with its size and path.
 *
 * @param box the side of the square around it; with the media's id it identifies the thumbnail
 */
public record Thumbnail(String mediaId, int box, int width, int height) {
  private static final List<Integer> BOXES = List.of(64, 256);

  /** Returns all thumbnails of a picture, smallest first. None is larger than the picture. */
  public static List<Thumbnail> of(Media media) {
    return BOXES.stream().map(box -> fitting(media, box)).toList();
  }

  private static Thumbnail fitting(Media media, int box) {
    double scale = Math.min(1, (double) box / Math.max(media.width(), media.height()));
    return new Thumbnail(
        media.mediaId(), box, scaled(media.width(), scale), scaled(media.height(), scale));
  }

  private static int scaled(long side, double scale) {
    return (int) Math.max(1, Math.round(side * scale));
  }

  public String key() {
    return mediaId + ":" + box;
  }
}
