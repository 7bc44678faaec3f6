package io.postroad.command;

import io.postroad.internal.command.CommandWire;
import io.postroad.internal.loop.Check;
import io.postroad.message.WireHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request to accept a command. Immutable; texts are checked when it is made.
 *
 * <pre>{@code
 * CommandRequest.of("CreateOrder", IdempotencyKeys.request(requestId), "order-456", json)
 *     .within(Duration.ofSeconds(30))
 *     .withHeader("tenant", "north")
 * }</pre>
 */
public final class CommandRequest {
  /** Headers that a command may have. */
  public static final int MAX_HEADERS = 48;

  /**
   * Prefix of headers that stay with the command where it was accepted: they are not sent to
   * another service, and not taken from messages of other services.
   */
  public static final String KEPT = "kept-";

  private static final int MAX_BUSINESS_KEY = 255;
  private static final int MAX_DESTINATION = 255;

  private final Draft is;

  private CommandRequest(Draft draft) {
    is = draft;
  }

  /**
   * Makes a request for a command of this type.
   *
   * @param type for example {@code CreateOrder}; see {@link CommandType#check}
   * @param idempotencyKey see {@link IdempotencyKeys}
   * @param businessKey the subject of the command, in the words of the domain: 1 to 255 characters
   * @param payload a JSON object
   */
  public static CommandRequest of(
      String type, String idempotencyKey, String businessKey, String payload) {
    return new CommandRequest(
        new Draft(
            CommandType.check(type),
            IdempotencyKeys.check(idempotencyKey),
            checkedBusinessKey(businessKey),
            payload));
  }

  private static String checkedBusinessKey(String key) {
    if (key.isBlank() || key.length() > MAX_BUSINESS_KEY) {
      throw new IllegalArgumentException(
          "a business key must have 1 to %d characters and not be blank, got %d"
              .formatted(MAX_BUSINESS_KEY, key.length()));
    }
    return WireHeaders.checkedValue(CommandWire.BUSINESS_KEY, key);
  }

  /** Adds a header that the handler sees and that is sent with the command. */
  public CommandRequest withHeader(String name, String value) {
    Map<String, String> more = new TreeMap<>(is.headers);
    more.put(name, value);
    return withHeaders(more);
  }

  /** Replaces all headers. */
  public CommandRequest withHeaders(Map<String, String> headers) {
    if (headers.size() > MAX_HEADERS) {
      throw new IllegalArgumentException(
          "a command may have %d headers at most, got %d".formatted(MAX_HEADERS, headers.size()));
    }
    headers.forEach(CommandRequest::checkHeader);
    return with(draft -> draft.headers = Map.copyOf(headers));
  }

  private static void checkHeader(String name, String value) {
    if (!WireHeaders.isName(name)) {
      throw new IllegalArgumentException(
          "header name '%s' may have letters, digits, '-', '_' and '.' only".formatted(name));
    }
    if (WireHeaders.isReserved(name) || CommandWire.isOwn(name)) {
      throw new IllegalArgumentException(
          "header '%s' is reserved: Postroad sets it from the command; use another name"
              .formatted(name));
    }
    String unused = WireHeaders.checkedValue(name, value);
  }

  /**
   * Sets the id, for a caller that has to know it before the acceptance. No other command may have
   * it. By default the bus makes one.
   */
  public CommandRequest withId(UUID id) {
    return with(draft -> draft.id = id);
  }

  /** Sets the id that the reply carries back; the id of the command by default. */
  public CommandRequest withCorrelationId(UUID correlationId) {
    return with(draft -> draft.correlationId = correlationId);
  }

  /** Sends the reply to this destination; it is kept with the command in any case. */
  public CommandRequest replyTo(String destination) {
    if (destination.isBlank() || destination.length() > MAX_DESTINATION) {
      throw new IllegalArgumentException(
          "the destination of a reply must have 1 to %d characters and not be blank, got %d"
              .formatted(MAX_DESTINATION, destination.length()));
    }
    String unused = WireHeaders.checkedValue(CommandWire.REPLY_TO, destination);
    return with(draft -> draft.replyTo = destination);
  }

  /** Sets the earliest time of its handling, by the clock of the database. */
  public CommandRequest notBefore(Instant time) {
    return with(draft -> draft.notBefore = time);
  }

  /**
   * Sets the time from its acceptance after which it has timed out and is not handled any more. A
   * handler that runs then is interrupted, and its work is rolled back.
   */
  public CommandRequest within(Duration timeout) {
    Check.positive(timeout, "CommandRequest.within");
    return with(draft -> draft.timeout = timeout);
  }

  /**
   * Has the command handled even after its deadline of {@link #within}. The caller is told {@code
   * TimedOut} at the deadline; {@link CommandSignal.HandledLate} and a second reply report the late
   * execution.
   */
  public CommandRequest evenLate() {
    return with(draft -> draft.lateAllowed = true);
  }

  public Optional<UUID> id() {
    return Optional.ofNullable(is.id);
  }

  public String type() {
    return is.type;
  }

  public String idempotencyKey() {
    return is.idempotencyKey;
  }

  public String businessKey() {
    return is.businessKey;
  }

  public String payload() {
    return is.payload;
  }

  public Map<String, String> headers() {
    return is.headers;
  }

  public Optional<UUID> correlationId() {
    return Optional.ofNullable(is.correlationId);
  }

  public Optional<String> replyTo() {
    return Optional.ofNullable(is.replyTo);
  }

  public Optional<Instant> notBefore() {
    return Optional.ofNullable(is.notBefore);
  }

  public Optional<Duration> timeout() {
    return Optional.ofNullable(is.timeout);
  }

  public boolean lateAllowed() {
    return is.lateAllowed;
  }

  /** Names the command, never its content. */
  @Override
  public String toString() {
    return "%s[key=%s, businessKey=%s]".formatted(is.type, is.idempotencyKey, is.businessKey);
  }

  private CommandRequest with(Consumer<Draft> change) {
    Draft draft = new Draft(is);
    change.accept(draft);
    return new CommandRequest(draft);
  }

  /** The values of a request that is being made. */
  private static final class Draft {
    private final String type;
    private final String idempotencyKey;
    private final String businessKey;
    private final String payload;
    private Map<String, String> headers = Map.of();
    private @Nullable UUID id;
    private @Nullable UUID correlationId;
    private @Nullable String replyTo;
    private @Nullable Instant notBefore;
    private @Nullable Duration timeout;
    private boolean lateAllowed;

    Draft(String type, String idempotencyKey, String businessKey, String payload) {
      this.type = type;
      this.idempotencyKey = idempotencyKey;
      this.businessKey = businessKey;
      this.payload = payload;
    }

    Draft(Draft from) {
      this(from.type, from.idempotencyKey, from.businessKey, from.payload);
      headers = from.headers;
      id = from.id;
      correlationId = from.correlationId;
      replyTo = from.replyTo;
      notBefore = from.notBefore;
      timeout = from.timeout;
      lateAllowed = from.lateAllowed;
    }
  }
}
