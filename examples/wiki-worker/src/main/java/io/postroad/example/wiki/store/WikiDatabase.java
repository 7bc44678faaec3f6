package io.postroad.example.wiki.store;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import org.bson.Document;

/**
 * Creates the collections of the wiki, in the same database as the outbox, because one transaction
 * writes both. Thread-safe.
 *
 * <table>
 *   <caption>Collections</caption>
 *   <tr><td>{@code page_revisions}</td><td>user input, {@code _id = page_id:revision_id}; all other
 *     collections derive from it</td></tr>
 *   <tr><td>{@code page_snapshots}</td><td>rendered revisions,
 *     {@code _id = page_id:revision_id}</td></tr>
 *   <tr><td>{@code search_index}</td><td>the text for searches, {@code _id = page_id}</td></tr>
 *   <tr><td>{@code media}, {@code media_thumbnails}</td><td>pictures and their thumbnails</td></tr>
 *   <tr><td>{@code outbox}, {@code outbox_dead}</td><td>see {@link OutboxCollection},
 *     {@link DeadLetterArchive}</td></tr>
 * </table>
 */
public final class WikiDatabase {
  /**
   * Without a transaction, a write counts when it is in the journal; a transaction has its own
   * write concern.
   */
  private static final WriteConcern DURABLE = WriteConcern.MAJORITY.withJournal(true);

  private final MongoDatabase database;

  public WikiDatabase(MongoClient client, String name) {
    this.database = client.getDatabase(name).withWriteConcern(DURABLE);
  }

  MongoCollection<Document> collection(String name) {
    return database.getCollection(name);
  }

  MongoDatabase database() {
    return database;
  }

  /** Creates missing parts; several nodes may start at once. */
  public void create() {
    collection(Revisions.COLLECTION)
        .createIndex(
            Indexes.compoundIndex(
                Indexes.ascending(Fields.PAGE_ID), Indexes.descending(Fields.REVISION_ID)),
            new IndexOptions().unique(true));
    collection(Revisions.COLLECTION).createIndex(Indexes.ascending(Fields.CREATED_AT));
    collection(Snapshots.COLLECTION)
        .createIndex(
            Indexes.compoundIndex(
                Indexes.ascending(Fields.PAGE_ID), Indexes.descending(Fields.REVISION_ID)));
    collection(SearchIndex.COLLECTION)
        .createIndex(
            Indexes.compoundIndex(Indexes.text(Fields.TITLE), Indexes.text(Fields.TEXT)),
            // Indexes every word, in every language.
            new IndexOptions().defaultLanguage("none"));
    collection(MediaLibrary.COLLECTION).createIndex(Indexes.ascending(Fields.PAGE_ID));
    collection(MediaLibrary.COLLECTION).createIndex(Indexes.ascending(Fields.CREATED_AT));
    // A transaction must not be the first to write to a collection.
    collection(MediaLibrary.THUMBNAILS).createIndex(Indexes.ascending(Fields.MEDIA_ID));
  }
}
