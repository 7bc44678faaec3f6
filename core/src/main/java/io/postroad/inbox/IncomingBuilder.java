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
 * Makes an {@link Incoming} from what a broker delivered, also from what no Postroad sender wrote.
 * Never fails: what no handler can ever have gets a refusal. Used by one thread, for one message.
 *
 * <table>
 * <caption>What becomes of what does not fit</caption>
 * <tr><td>no {@code event-id}</td><td>the broker's id is taken</td></tr>
 * <tr><td>no {@code event-type}</td><td>the type is {@code unknown}; handlers of any type get
 *     it</td></tr>
 * <tr><td>body with more bytes than the limit, more than 64 headers</td><td>refused; the body is
 *     kept up to 8 MiB, headers up to 64</td></tr>
 * <tr><td>body that is not valid UTF-8, or has a NUL</td><td>bytes, whatever its content type; so
 *     is one that its sender calls bytes</td></tr>
 * <tr><td>header with a name or value that a message cannot have</td><td>left out, and named in
 *     {@link #leftOut()}</td></tr>
 * <tr><td>key that is not valid UTF-8, too long, empty or blank</td><td>a text made from it; order
 *     is kept all the same</td></tr>
 * </table>
 */
public final class IncomingBuilder {
  /** The type of a message that says none. */
  public static final String UNKNOWN_TYPE = "unknown";

  /** The largest body that handlers can get, and what is kept of one that is refused. */
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
   * For a message of a destination.
   *
   * @param brokerId what the broker calls this message; used when it has no id of its own
   * @param maxBytes the largest body that handlers get; {@link #MAX_BYTES} at most
   */
  public IncomingBuilder(String destination, String brokerId, int maxBytes) {
    Check.atMost(MAX_BYTES, maxBytes, "maxBytes");
    this.destination = destination;
    this.brokerId = brokerId;
    this.maxBytes = maxBytes;
  }

  /** What deduplication is to know it by, in place of its own id and the broker's. */
  public IncomingBuilder messageId(String id) {
    this.givenId = id;
    return this;
  }

  public IncomingBuilder body(byte[] body) {
    this.body = body;
    return this;
  }

  /** Takes the key as the broker has it: null for none; one without bytes is a key like others. */
  public IncomingBuilder key(byte @Nullable [] bytes) {
    if (bytes != null) {
      @Nullable String text = utf8(bytes);
      key(text == null ? "base64:" + Base64.getEncoder().encodeToString(bytes) : text);
    }
    return this;
  }

  /** {@link #key(byte[])} of a broker whose keys are texts. */
  public IncomingBuilder key(@Nullable String text) {
    if (text != null) {
      boolean isFit = !text.isBlank() && fits(text, InboxEntry.MAX_KEY);
      key = isFit ? text : "made:" + MessageIds.of(text);
    }
    return this;
  }

  /** A header by its name on the wire. */
  public IncomingBuilder header(String name, byte @Nullable [] value) {
    @Nullable String text = value == null ? null : utf8(value);
    if (text == null) {
      leftOut.add(name);
      return this;
    }
    return header(name, text);
  }

  /** A header by its name on the wire. */
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

  /** No handler can have it. */
  public IncomingBuilder refuse(String reason) {
    refusal = reason;
    return this;
  }

  /** Headers that a message cannot have, so far. */
  public List<String> leftOut() {
    return List.copyOf(leftOut);
  }

  public Incoming build() {
    if (headerCount > WireHeaders.MAX_COUNT) {
      refuse("it has %d headers, %d are the most".formatted(headerCount, WireHeaders.MAX_COUNT));
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

  /** A blank one is none, or all messages with one would be the same message. */
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

  /** What is left when the headers make no message. */
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
