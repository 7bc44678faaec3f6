package io.postroad.message;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One message: what happened or what is wanted, where it goes, and its body.
 *
 * <pre>{@code
 * Message.event("OrderPlaced").to("orders").aggregate("Order", "42").json("{\"id\":42}").build();
 * }</pre>
 *
 * <p>Immutable and complete: a message that was built is valid, so a wrong one is refused before a
 * transaction has seen it. The {@link #key()} picks the partition; competing relays do not keep the
 * order of a key.
 */
public final class Message {
  private final UUID id;
  private final MessageCategory category;
  private final String type;
  private final @Nullable String aggregateType;
  private final @Nullable String aggregateId;
  private final @Nullable String key;
  private final String destination;
  private final Map<String, String> headers;
  private final Payload payload;
  private final @Nullable String deduplicationKey;
  private final @Nullable Instant notBefore;
  private final @Nullable String tenant;
  private final int schemaVersion;

  private Message(Builder from) {
    id = Objects.requireNonNull(from.id, "message id");
    category = from.category;
    type = Text.required(from.type, "message type", "for example OrderPlaced", 255);
    destination =
        Text.required(
            from.destination, "message destination", "name the topic, queue or stream", 255);
    aggregateType = Text.optional(from.aggregateType, "message aggregate type", 255);
    aggregateId = Text.optional(from.aggregateId, "message aggregate id", 512);
    key = from.key == null ? aggregateId : Text.optional(from.key, "message key", 512);
    headers = Headers.checked(from.headers);
    if (from.payload == null) {
      throw new IllegalArgumentException(
          "message payload must not be null; use json(\"{}\") for an empty body");
    }
    payload = from.payload;
    deduplicationKey = Text.optional(from.deduplicationKey, "message deduplication key", 512);
    notBefore = from.notBefore;
    tenant = Text.optional(from.tenant, "message tenant", 255);
    if (from.schemaVersion < 1) {
      throw new IllegalArgumentException(
          "message schema version must be 1 or more, got " + from.schemaVersion);
    }
    schemaVersion = from.schemaVersion;
  }

  /** Something that happened. */
  public static Builder event(String type) {
    return new Builder(MessageCategory.EVENT, type);
  }

  /** Something that another service is asked to do. */
  public static Builder command(String type) {
    return new Builder(MessageCategory.COMMAND, type);
  }

  /** The answer to a command. */
  public static Builder reply(String type) {
    return new Builder(MessageCategory.REPLY, type);
  }

  /** A message of a category that is known only at run time. */
  public static Builder of(MessageCategory category, String type) {
    return new Builder(category, type);
  }

  /**
   * A builder for a new message like this one: with everything of it but its id and the time it was
   * scheduled for.
   */
  public Builder toBuilder() {
    Builder builder =
        of(category, type)
            .to(destination)
            .headers(headers)
            .payload(payload)
            .schemaVersion(schemaVersion);
    if (aggregateType != null && aggregateId != null) {
      builder.aggregate(aggregateType, aggregateId);
    }
    if (key != null) {
      builder.key(key);
    }
    if (deduplicationKey != null) {
      builder.deduplicationKey(deduplicationKey);
    }
    if (tenant != null) {
      builder.tenant(tenant);
    }
    return builder;
  }

  /** Unique for ever; receivers deduplicate by it. */
  public UUID id() {
    return id;
  }

  public MessageCategory category() {
    return category;
  }

  public String type() {
    return type;
  }

  public Optional<String> aggregateType() {
    return Optional.ofNullable(aggregateType);
  }

  public Optional<String> aggregateId() {
    return Optional.ofNullable(aggregateId);
  }

  /** Ordering and partition key; the aggregate id unless one was given. */
  public Optional<String> key() {
    return Optional.ofNullable(key);
  }

  /** Topic, queue or stream. */
  public String destination() {
    return destination;
  }

  /** Sorted by name, unmodifiable; the trace context is among them. */
  public Map<String, String> headers() {
    return headers;
  }

  public Payload payload() {
    return payload;
  }

  /** At most one message with this key is kept within the deduplication window. */
  public Optional<String> deduplicationKey() {
    return Optional.ofNullable(deduplicationKey);
  }

  /** Not to be delivered before this time, by the database's clock. */
  public Optional<Instant> notBefore() {
    return Optional.ofNullable(notBefore);
  }

  public Optional<String> tenant() {
    return Optional.ofNullable(tenant);
  }

  /** Version of the payload's schema, 1 unless given. */
  public int schemaVersion() {
    return schemaVersion;
  }

  /** The trace context among the headers, if there is one that can be read. */
  public Optional<TraceContext> trace() {
    return TraceContext.in(headers);
  }

  /**
   * This message with this trace context; as it is, if there is no room for one more header or a
   * header cannot have it.
   */
  public Message tracedAs(TraceContext trace) {
    Builder builder = toBuilder().id(id);
    if (notBefore != null) {
      builder.notBefore(notBefore);
    }
    try {
      return builder.trace(trace).build();
    } catch (IllegalArgumentException noRoom) {
      return this;
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Message that
        && id.equals(that.id)
        && category == that.category
        && type.equals(that.type)
        && Objects.equals(aggregateType, that.aggregateType)
        && Objects.equals(aggregateId, that.aggregateId)
        && Objects.equals(key, that.key)
        && destination.equals(that.destination)
        && headers.equals(that.headers)
        && payload.equals(that.payload)
        && Objects.equals(deduplicationKey, that.deduplicationKey)
        && Objects.equals(notBefore, that.notBefore)
        && Objects.equals(tenant, that.tenant)
        && schemaVersion == that.schemaVersion;
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  /** Id, type and destination; never the payload. */
  @Override
  public String toString() {
    return "Message[" + id + ", " + type + " -> " + destination + "]";
  }

  /** Collects the parts of a message. Not thread-safe; {@link #build()} checks everything. */
  public static final class Builder {
    private final MessageCategory category;
    private final String type;
    private UUID id = MessageIds.next();
    private @Nullable String aggregateType;
    private @Nullable String aggregateId;
    private @Nullable String key;
    private @Nullable String destination;
    private final Map<String, String> headers = new LinkedHashMap<>(0);
    private @Nullable Payload payload;
    private @Nullable String deduplicationKey;
    private @Nullable Instant notBefore;
    private @Nullable String tenant;
    private int schemaVersion = 1;

    private Builder(MessageCategory category, String type) {
      this.category = category;
      this.type = type;
    }

    /** Sets the id, for a message whose id is derived or was stored before. */
    public Builder id(UUID id) {
      this.id = id;
      return this;
    }

    public Builder to(String destination) {
      this.destination = destination;
      return this;
    }

    public Builder aggregate(String aggregateType, String aggregateId) {
      this.aggregateType = aggregateType;
      this.aggregateId = aggregateId;
      return this;
    }

    public Builder key(String key) {
      this.key = key;
      return this;
    }

    public Builder header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    /** Takes a header out again; for messages that are made from others. */
    public Builder withoutHeader(String name) {
      headers.remove(name);
      return this;
    }

    public Builder headers(Map<String, String> headers) {
      if (!headers.isEmpty()) {
        this.headers.putAll(headers);
      }
      return this;
    }

    public Builder trace(TraceContext trace) {
      headers.put(TraceContext.TRACEPARENT, trace.traceparent());
      trace.tracestate().ifPresent(state -> headers.put(TraceContext.TRACESTATE, state));
      trace.baggage().ifPresent(baggage -> headers.put(TraceContext.BAGGAGE, baggage));
      return this;
    }

    public Builder payload(Payload payload) {
      this.payload = payload;
      return this;
    }

    /** A JSON body that is already text. */
    public Builder json(String json) {
      return payload(Payload.json(json));
    }

    /** A JSON body made from a value by a codec. */
    public Builder json(Object value, JsonCodec codec) {
      return payload(Payload.json(codec.encode(value)));
    }

    public Builder deduplicationKey(String deduplicationKey) {
      this.deduplicationKey = deduplicationKey;
      return this;
    }

    public Builder notBefore(Instant notBefore) {
      this.notBefore = notBefore;
      return this;
    }

    public Builder tenant(String tenant) {
      this.tenant = tenant;
      return this;
    }

    public Builder schemaVersion(int schemaVersion) {
      this.schemaVersion = schemaVersion;
      return this;
    }

    /**
     * The message.
     *
     * @throws IllegalArgumentException naming the part that is missing or wrong
     */
    public Message build() {
      return new Message(this);
    }
  }
}
