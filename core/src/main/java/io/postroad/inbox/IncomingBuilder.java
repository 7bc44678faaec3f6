package io.postroad.inbox;

import io.postroad.internal.loop.Check;
import io.postroad.internal.loop.ErrorText;
import io.postroad.message.Message;
import io.postroad.message.MessageCategory;
import io.postroad.message.MessageIds;
import io.postroad.message.Payload;
import io.postroad.message.WireHeaders;
import io.postroad.spi.InboxEntry;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates an {@link Incoming} from a delivery of a broker, also from messages of other senders than
 * Postroad. Never fails: a message that no handler can ever handle gets a refusal. Used by one
 * thread, for one message.
 *
 * <table>
 * <caption>Treatment of unusual messages</caption>
 * <tr><td>no {@code event-id}</td><td>the broker's id is used</td></tr>
 * <tr><td>no {@code event-type}</td><td>the type is {@code unknown}; handlers of any type get
 *     it</td></tr>
 * <tr><td>body above the limit, more than 64 headers</td><td>refused; up to
 *     8 MiB of the body and 64 headers are stored</td></tr>
 * <tr><td>body that is not valid UTF-8, or has a NUL, or that its sender declared as bytes</td>
 *     <td>bytes, whatever its content type</td></tr>
 * <tr><td>header with an invalid name or value</td><td>left out, and listed in
 *     {@link #leftOut()}</td></tr>
 * <tr><td>key that is not valid UTF-8, too long, empty or blank</td><td>replaced
 *     by a text derived from it, so that order is kept</td></tr>
 * </table>
 */
public final class IncomingBuilder {
  /** The type of a message without a type. */
  public static final String UNKNOWN_TYPE = "unknown";

  /**
   * The largest body that handlers can get, and the largest part of a refused body that is stored.
   */
  public static final int MAX_BYTES = 8 * 1024 * 1024;

  private static final String UNKNOWN_CONTENT = "application/octet-stream";

  private final String destination;
  private final String brokerId;
  private final int maxBytes;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final List<String> leftOut = new ArrayList<>();
  private byte[] body = new byte[0];
  private @Nullable String key;
  private @Nullable String givenId;
  private @Nullable String refusal;
  private int headerCount;

  /**
   * Starts a message of a destination.
   *
   * @param brokerId the broker's id of this message; used if it has no id of its own
   * @param maxBytes the largest body that handlers get; {@link #MAX_BYTES} at most
   */
  public IncomingBuilder(String destination, String brokerId, int maxBytes) {
    Check.atMost(MAX_BYTES, maxBytes, "maxBytes");
    this.destination = destination;
    this.brokerId = brokerId;
    this.maxBytes = maxBytes;
  }

  /** Sets the id for deduplication, which replaces the message's own id and the broker's. */
  public IncomingBuilder messageId(String id) {
    this.givenId = id;
    return this;
  }

  public IncomingBuilder body(byte[] body) {
    this.body = body;
    return this;
  }

  /** Sets the broker's key; null for none. An empty key is a key like others. */
  public IncomingBuilder key(byte @Nullable [] bytes) {
    if (bytes != null) {
      @Nullable String text = utf8(bytes);
      key(text == null ? "base64:" + Base64.getEncoder().encodeToString(bytes) : text);
    }
    return this;
  }

  /** Sets the key, for a broker with text keys; null for none. */
  public IncomingBuilder key(@Nullable String text) {
    if (text != null) {
      boolean isFit = !text.isBlank() && fits(text, InboxEntry.MAX_KEY);
      key = isFit ? text : "made:" + MessageIds.of(text);
    }
    return this;
  }

  /** Adds a header by its name on the wire. */
  public IncomingBuilder header(String name, byte @Nullable [] value) {
    @Nullable String text = value == null ? null : utf8(value);
    if (text == null) {
      leftOut.add(name);
      return this;
    }
    return header(name, text);
  }

  /** Adds a header by its name on the wire. */
  public IncomingBuilder header(String name, String value) {
    if (!WireHeaders.isReserved(name)) {
      headerCount++;
      if (headerCount > WireHeaders.MAX_COUNT) {
        return this;
      }
    }
    if (WireHeaders.isName(name) && fits(value, WireHeaders.MAX_VALUE)) {
      headers.put(name, value);
    } else {
      leftOut.add(name);
    }
    return this;
  }

  /** Refuses the message: no handler gets it. */
  public IncomingBuilder refuse(String reason) {
    refusal = reason;
    return this;
  }

  /** Returns the names of the headers that were left out so far. */
  public List<String> leftOut() {
    return List.copyOf(leftOut);
  }

  public Incoming build() {
    if (headerCount > WireHeaders.MAX_COUNT) {
      refuse("it has %d headers, the limit is %d".formatted(headerCount, WireHeaders.MAX_COUNT));
    } else if (body.length > maxBytes) {
      refuse("its body has %d bytes, the limit is %d".formatted(body.length, maxBytes));
    }
    String id = id();
    try {
      return new Incoming(id, message(id), Optional.ofNullable(refusal));
    } catch (IllegalArgumentException wrong) {
      return new Incoming(id, bare(id), Optional.of(ErrorText.of(wrong)));
    }
  }

  /**
   * Returns the first id that is not blank. With a blank id, different messages would be duplicates
   * of each other.
   */
  private String id() {
    String id =
        Stream.of(givenId, headers.get(WireHeaders.EVENT_ID))
            .filter(known -> known != null && !known.isBlank())
            .findFirst()
            .orElse(brokerId);
    return fits(id, InboxEntry.MAX_ID) ? id : MessageIds.of(id).toString();
  }

  private Message message(String id) {
    String type = headers.getOrDefault(WireHeaders.EVENT_TYPE, UNKNOWN_TYPE);
    MessageCategory category =
        MessageCategory.ofWireName(
            headers.getOrDefault(WireHeaders.CATEGORY, MessageCategory.EVENT.wireName()));
    Message.Builder message =
        Message.of(category, type)
            .id(MessageIds.of(id))
            .to(destination)
            .payload(payload(headers.getOrDefault(WireHeaders.CONTENT_TYPE, Payload.JSON)));
    headers.forEach(
        (name, value) -> {
          if (!WireHeaders.isReserved(name)) {
            message.header(name, value);
          }
        });
    @Nullable String aggregateType = headers.get(WireHeaders.AGGREGATE_TYPE);
    @Nullable String aggregateId = headers.get(WireHeaders.AGGREGATE_ID);
    if (aggregateType != null && aggregateId != null) {
      message.aggregate(aggregateType, aggregateId);
    }
    @Nullable String tenant = headers.get(WireHeaders.TENANT);
    if (tenant != null) {
      message.tenant(tenant);
    }
    @Nullable String version = headers.get(WireHeaders.SCHEMA_VERSION);
    if (version != null) {
      message.schemaVersion(Integer.parseInt(version));
    }
    withKey(message);
    return message.build();
  }

  /** Returns a message without headers, for headers that do not make a valid message. */
  private Message bare(String id) {
    Message.Builder message =
        Message.event(UNKNOWN_TYPE)
            .id(MessageIds.of(id))
            .to(destination)
            .payload(payload(UNKNOWN_CONTENT));
    withKey(message);
    return message.build();
  }

  private void withKey(Message.Builder message) {
    if (key == null) {
      key(headers.get(WireHeaders.KEY));
    }
    if (key != null) {
      message.key(key);
    }
  }

  private Payload payload(String contentType) {
    if (body.length > MAX_BYTES) {
      byte[] kept = java.util.Arrays.copyOf(body, MAX_BYTES);
      return Payload.bytes(kept, contentType);
    }
    @Nullable String text =
        WireHeaders.BYTES.equals(headers.get(WireHeaders.BODY)) ? null : utf8(body);
    return text == null || text.indexOf('\0') >= 0
        ? Payload.bytes(body, contentType)
        : Payload.text(text, contentType);
  }

  private static @Nullable String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notUtf8) {
      return null;
    }
  }

  private static boolean fits(String text, int limit) {
    return text.length() <= limit
        && text.chars().noneMatch(c -> c < ' ' || c == 0x7f)
        && StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }
}
