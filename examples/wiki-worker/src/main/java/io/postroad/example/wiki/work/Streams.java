package io.postroad.example.wiki.work;

/**
 * The streams of the outbox. Each has its own concurrency, so a slow stream does not delay the
 * others.
 */
public final class Streams {
  /** The stream for rendering. */
  public static final String WIKI = "wiki";

  /** The stream for thumbnails. */
  public static final String MEDIA = "media";

  /** The stream for indexing. */
  public static final String SEARCH = "search";

  private Streams() {}
}
