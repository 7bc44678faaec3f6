package io.postroad.example.wiki.store;

/** What the wiki consists of. */
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
