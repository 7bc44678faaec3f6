package io.postroad.example.wiki.store;

/** The stores of the wiki. */
public record Wiki(
    Revisions revisions, Snapshots snapshots, SearchIndex index, MediaLibrary media) {

  public static Wiki in(WikiDatabase database) {
    return new Wiki(
        new Revisions(database),
        new Snapshots(database),
        new SearchIndex(database),
        new MediaLibrary(database));
  }
}
