package io.postroad.example.wiki.work;

/** The streams of the outbox. Each has places of its own, so a slow one holds up no other. */
public final class Streams {
  /** Rendering. */
  public static final String WIKI = "wiki";

  /** Thumbnails. */
  public static final String MEDIA = "media";

  /** Indexing. */
  public static final String SEARCH = "search";

  private Streams() {}
}
