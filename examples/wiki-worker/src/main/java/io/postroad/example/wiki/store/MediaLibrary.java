package io.postroad.example.wiki.store;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Sorts;
import io.postroad.example.wiki.domain.Media;
import io.postroad.example.wiki.domain.RefusedException;
import io.postroad.example.wiki.domain.Thumbnail;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Stores {@code media} and {@code media_thumbnails}; the {@code _id} of a thumbnail is {@code
 * media_id:box}.
 *
 * <p>Thread-safe.
 */
public final class MediaLibrary {
  static final String COLLECTION = "media";
  static final String THUMBNAILS = "media_thumbnails";
  private static final String FILE_NAME = "file_name";
  private static final String CONTENT_TYPE = "content_type";
  private static final String WIDTH = "width";
  private static final String HEIGHT = "height";
  private static final String BOX = "box";

  private final MongoCollection<Document> media;
  private final MongoCollection<Document> thumbnails;

  public MediaLibrary(WikiDatabase database) {
    this.media = database.collection(COLLECTION);
    this.thumbnails = database.collection(THUMBNAILS);
  }

  /**
   * Stores a picture.
   *
   * @throws RefusedException if a picture has this id
   */
  public void insert(ClientSession session, Media picture) {
    if (media.find(session, Filters.eq(Fields.ID, picture.mediaId())).first() != null) {
      throw taken();
    }
    try {
      media.insertOne(session, document(picture));
    } catch (MongoWriteException failed) {
      if (ErrorCategory.fromErrorCode(failed.getError().getCode()) == ErrorCategory.DUPLICATE_KEY) {
        throw taken();
      }
      throw failed;
    }
  }

  private static RefusedException taken() {
    return RefusedException.conflict("media_id", "is of a picture that was uploaded before");
  }

  public Optional<Media> find(String mediaId) {
    return Optional.ofNullable(media.find(Filters.eq(Fields.ID, mediaId)).first())
        .map(MediaLibrary::media);
  }

  public Optional<Media> find(ClientSession session, String mediaId) {
    return Optional.ofNullable(media.find(session, Filters.eq(Fields.ID, mediaId)).first())
        .map(MediaLibrary::media);
  }

  public List<Media> ofPage(String pageId, int limit) {
    return media
        .find(Filters.eq(Fields.PAGE_ID, pageId))
        .limit(limit)
        .map(MediaLibrary::media)
        .into(new ArrayList<>());
  }

  /** Returns the pictures that were uploaded since a time. */
  public Iterable<Media> uploadedSince(Instant since) {
    return media.find(Filters.gte(Fields.CREATED_AT, Date.from(since))).map(MediaLibrary::media);
  }

  /** Stores a thumbnail; a repeated call has no further effect. */
  public void put(ClientSession session, Thumbnail thumbnail) {
    Bson same = Filters.eq(Fields.ID, thumbnail.key());
    thumbnails.replaceOne(
        session,
        same,
        new Document(Fields.ID, thumbnail.key())
            .append(Fields.MEDIA_ID, thumbnail.mediaId())
            .append(BOX, thumbnail.box())
            .append(WIDTH, thumbnail.width())
            .append(HEIGHT, thumbnail.height()),
        new ReplaceOptions().upsert(true));
  }

  /** Returns the thumbnails of a picture, smallest first. */
  public List<Thumbnail> thumbnails(String mediaId) {
    return thumbnails
        .find(Filters.eq(Fields.MEDIA_ID, mediaId))
        .sort(Sorts.ascending(BOX))
        .map(
            found ->
                new Thumbnail(
                    found.getString(Fields.MEDIA_ID),
                    found.getInteger(BOX),
                    found.getInteger(WIDTH),
                    found.getInteger(HEIGHT)))
        .into(new ArrayList<>());
  }

  private static Document document(Media picture) {
    return new Document(Fields.ID, picture.mediaId())
        .append(Fields.PAGE_ID, picture.pageId())
        .append(FILE_NAME, picture.fileName())
        .append(CONTENT_TYPE, picture.contentType())
        .append(WIDTH, picture.width())
        .append(HEIGHT, picture.height())
        .append(Fields.CREATED_AT, Date.from(picture.uploadedAt()));
  }

  private static Media media(Document found) {
    return new Media(
        found.getString(Fields.ID),
        found.getString(Fields.PAGE_ID),
        found.getString(FILE_NAME),
        found.getString(CONTENT_TYPE),
        found.getLong(WIDTH),
        found.getLong(HEIGHT),
        found.getDate(Fields.CREATED_AT).toInstant());
  }
}
