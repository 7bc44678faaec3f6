package io.postroad.message;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The W3C trace context in which a message was appended. It is stored and sent as the headers
 * {@code traceparent}, {@code tracestate} and {@code baggage}, so that a delivery on the next day
 * still links to its origin.
 */
public record TraceContext(
    String traceparent, Optional<String> tracestate, Optional<String> baggage) {
  static final String TRACEPARENT = "traceparent";
  static final String TRACESTATE = "tracestate";
  static final String BAGGAGE = "baggage";

  public TraceContext {
    if (!isTraceparent(traceparent)) {
      throw new IllegalArgumentException(
          "traceparent must look like 00-<32 hex>-<16 hex>-<2 hex>, got a text of "
              + traceparent.length()
              + " characters that does not");
    }
  }

  /** Creates a context without state and baggage. */
  public static TraceContext of(String traceparent) {
    return new TraceContext(traceparent, Optional.empty(), Optional.empty());
  }

  /** Creates a context; null state or baggage is left out. */
  public static TraceContext of(
      String traceparent, @Nullable String tracestate, @Nullable String baggage) {
    return new TraceContext(
        traceparent, Optional.ofNullable(tracestate), Optional.ofNullable(baggage));
  }

  /** Returns the context in the headers; empty if there is none, or if it is malformed. */
  public static Optional<TraceContext> in(Map<String, String> headers) {
    String traceparent = headers.get(TRACEPARENT);
    return traceparent == null || !isTraceparent(traceparent)
        ? Optional.empty()
        : Optional.of(of(traceparent, headers.get(TRACESTATE), headers.get(BAGGAGE)));
  }

  /** Returns the headers that contain this context. */
  public Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(TRACEPARENT, traceparent);
    tracestate.ifPresent(state -> headers.put(TRACESTATE, state));
    baggage.ifPresent(value -> headers.put(BAGGAGE, value));
    return headers;
  }

  private static boolean isTraceparent(String value) {
    if (value.length() != 55) {
      return false;
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      boolean dash = i == 2 || i == 35 || i == 52;
      boolean hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
      if (dash ? c != '-' : !hex) {
        return false;
      }
    }
    return true;
  }
}
