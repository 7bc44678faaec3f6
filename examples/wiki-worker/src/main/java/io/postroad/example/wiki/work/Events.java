package io.postroad.example.wiki.work;

import io.postroad.example.wiki.domain.MediaUploaded;
import io.postroad.example.wiki.domain.PageRevisionCreated;
import io.postroad.example.wiki.domain.Revision;
import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.mongodb.MongoOptions.TransactionMode;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Creates the messages of events. The id of a message derives from its subject, so that a repeated
 * creation gives the same message.
 *
 * <p>Without transactions a message also has a deduplication key: a reconciler that finds a
 * revision before its messages may append them at the same time as the editor.
 *
 * <p>Immutable.
 */
public final class Events {
  private final JsonCodec codec;
  private final TransactionMode mode;

  public Events(JsonCodec codec, TransactionMode mode) {
    this.codec = codec;
    this.mode = mode;
  }

  /** Creates the message for rendering a revision. */
  Message toRender(PageRevisionCreated event) {
    return of(Streams.WIKI, event);
  }

  /** Creates the message for indexing a revision. */
  Message toIndex(PageRevisionCreated event) {
    return of(Streams.SEARCH, event);
  }

  /** Returns the id of the message for rendering a revision. */
  public static UUID toRender(String pageId, long revisionId) {
    return id(Streams.WIKI + ":" + Revision.key(pageId, revisionId));
  }

  private static UUID id(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  private Message of(String stream, PageRevisionCreated event) {
    return message(
        stream,
        PageRevisionCreated.TYPE,
        event.pageId(),
        Revision.key(event.pageId(), event.revisionId()),
        event);
  }

  /** Creates the message for the thumbnails of a picture. */
  Message toShrink(MediaUploaded event) {
    return message(Streams.MEDIA, MediaUploaded.TYPE, event.mediaId(), event.mediaId(), event);
  }

  private Message message(
      String stream, String type, String aggregateId, String key, Object payload) {
    String name = stream + ":" + key;
    Message.Builder message =
        Message.event(type)
            .id(id(name))
            .to(stream)
            .aggregate(stream, aggregateId)
            .json(payload, codec);
    if (mode == TransactionMode.NONE) {
      message.deduplicationKey(name);
    }
    return message.build();
  }
}
