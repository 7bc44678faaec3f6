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
 * Makes messages of what happened. The id of a message follows from what it is about, so that
 * somebody who makes it again makes the same one.
 *
 * <p>Without transactions a message also has a deduplication key: a reconciler that sees a revision
 * before its messages may append them at the same moment as the one who saved it.
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

  /** Has a revision rendered. */
  Message toRender(PageRevisionCreated event) {
    return of(Streams.WIKI, event);
  }

  /** Has a revision indexed. */
  Message toIndex(PageRevisionCreated event) {
    return of(Streams.SEARCH, event);
  }

  /** The id of the event that has a revision rendered. */
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

  /** Has thumbnails made of a picture. */
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
