package io.postroad.message;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message with its type, destination, headers and payload.
 *
 * <pre>{@code
 * Message.event("OrderPlaced").to("orders").aggregate("Order", "42").json("{\"id\":42}").build();
 * }</pre>
 *
 * <p>Immutable. {@link Builder#build()} checks every part, so an invalid message is refused before
 * the transaction writes it. The {@link #key()} selects the partition. Competing relays do not keep
 * the order of a key.
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

  /** Starts a message about something that happened. */
  public static Builder event(String type) {
    return new Builder(MessageCategory.EVENT, type);
  }

  /** Starts a message that asks another service to do something. */
  public static Builder command(String type) {
    return new Builder(MessageCategory.COMMAND, type);
  }

  /** Starts a message that answers a command. */
  public static Builder reply(String type) {
    return new Builder(MessageCategory.REPLY, type);
  }

  /** Starts a message of a category that is known only at run time. */
  public static Builder of(MessageCategory category, String type) {
    return new Builder(category, type);
  }

  /** Returns a builder with all parts of this message except its id and {@link #notBefore()}. */
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

  /** Returns the id, which no other message has. Receivers deduplicate by it. */
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

  /** Returns the key for order and partition; the aggregate id if no key was given. */
  public Optional<String> key() {
    return Optional.ofNullable(key);
  }

  /** Returns the topic, queue or stream. */
  public String destination() {
    return destination;
  }

  /** Returns the headers, sorted by name and unmodifiable. They include the trace context. */
  public Map<String, String> headers() {
    return headers;
  }

  public Payload payload() {
    return payload;
  }

  /**
   * Returns the key of which the store keeps at most one message within the deduplication window.
   */
  public Optional<String> deduplicationKey() {
    return Optional.ofNullable(deduplicationKey);
  }

  /** Returns the earliest time of delivery, by the clock of the database. */
  public Optional<Instant> notBefore() {
    return Optional.ofNullable(notBefore);
  }

  public Optional<String> tenant() {
    return Optional.ofNullable(tenant);
  }

  /** Returns the version of the payload's schema; 1 if none was given. */
  public int schemaVersion() {
    return schemaVersion;
  }

  /** Returns the trace context of the headers; empty if there is none, or if it is malformed. */
  public Optional<TraceContext> trace() {
    return TraceContext.in(headers);
  }

  /**
   * Returns this message with a trace context. Returns it unchanged if the headers are full or the
   * context does not fit into a header.
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

  /** Shows id, type and destination, and never the payload. */
  @Override
  public String toString() {
    return "Message[" + id + ", " + type + " -> " + destination + "]";
  }

  /** Collects the parts of a message. Not thread-safe. */
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

    /** Sets a derived or stored id in place of a new one. */
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

    /** Removes a header, for messages that are made from other messages. */
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

    /** Sets JSON text as the payload. */
    public Builder json(String json) {
      return payload(Payload.json(json));
    }

    /** Sets the payload to the JSON of a value. */
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
     * Checks all parts and creates the message.
     *
     * @throws IllegalArgumentException if a part is missing or wrong; the text names it
     */
    public Message build() {
      return new Message(this);
    }
  }
}
