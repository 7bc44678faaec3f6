package io.postroad.example.wiki.store;

/** Names of fields of the wiki's documents. */
final class Fields {
  static final String ID = "_id";
  static final String PAGE_ID = "page_id";
  static final String REVISION_ID = "revision_id";
  static final String TITLE = "title";
  static final String TEXT = "text";
  static final String AUTHOR = "author";
  static final String CREATED_AT = "created_at";
  static final String HTML = "html";
  static final String MEDIA_ID = "media_id";

  private Fields() {}
}
