package io.postroad.message;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The headers in which a message travels over a broker, by their names; transports map the names to
 * what their broker allows.
 */
public final class WireHeaders {
  public static final String EVENT_ID = "event-id";
  public static final String EVENT_TYPE = "event-type";

  /** Left out when it is {@link Payload#JSON}. */
  public static final String CONTENT_TYPE = "content-type";

  /** Left out for an event. */
  public static final String CATEGORY = "postroad-category";

  /** Left out when it is 1. */
  public static final String SCHEMA_VERSION = "postroad-schema-version";

  public static final String AGGREGATE_TYPE = "postroad-aggregate-type";
  public static final String AGGREGATE_ID = "postroad-aggregate-id";
  public static final String TENANT = "postroad-tenant";

  /** {@link #BYTES} when the payload is bytes, which may look like text; left out for text. */
  public static final String BODY = "postroad-body";

  /** Value of {@link #BODY}. */
  public static final String BYTES = "bytes";

  /** Where a broker has no key of its own. */
  public static final String KEY = "postroad-key";

  /** On a message in a retry line: the id of the message that was received. */
  public static final String RETRY_OF = "postroad-retry-of";

  /** On a message in a retry line: the destination from which it was received. */
  public static final String RETRY_FROM = "postroad-retry-from";

  /** On a message in a retry line: the name of the handler that it waits for. */
  public static final String RETRY_HANDLER = "postroad-retry-handler";

  /** On a message in a retry line: why no handler can ever have it. */
  public static final String REFUSED = "postroad-refused";

  /** Headers of its own that a message may have. */
  public static final int MAX_COUNT = Headers.MAX_COUNT;

  /** Characters that the value of a header may have. */
  public static final int MAX_VALUE = Headers.MAX_VALUE;

  /** What the names of headers begin with that are Postroad's alone. */
  static final String OWN_PREFIX = "postroad-";

  private WireHeaders() {}

  /** Every header of a message on the wire: its own, and those made from its parts. */
  public static Map<String, String> of(Message message) {
    Map<String, String> headers = new LinkedHashMap<>(message.headers());
    headers.put(EVENT_ID, message.id().toString());
    headers.put(EVENT_TYPE, message.type());
    if (!message.payload().contentType().equals(Payload.JSON)) {
      headers.put(CONTENT_TYPE, message.payload().contentType());
    }
    if (message.category() != MessageCategory.EVENT) {
      headers.put(CATEGORY, message.category().wireName());
    }
    if (message.schemaVersion() != 1) {
      headers.put(SCHEMA_VERSION, String.valueOf(message.schemaVersion()));
    }
    if (!message.payload().isText()) {
      headers.put(BODY, BYTES);
    }
    message.aggregateType().ifPresent(type -> headers.put(AGGREGATE_TYPE, type));
    message.aggregateId().ifPresent(id -> headers.put(AGGREGATE_ID, id));
    message.tenant().ifPresent(tenant -> headers.put(TENANT, tenant));
    return headers;
  }

  /** Whether a header may have this name, as far as its characters go. */
  public static boolean isName(String name) {
    return Headers.isName(name);
  }

  /**
   * The value, if a header may have it: at most {@link #MAX_VALUE} characters, no control
   * characters, no lone surrogates.
   *
   * @throws IllegalArgumentException when it may not, naming the header
   */
  public static String checkedValue(String name, String value) {
    return Text.storable(value, "header '" + name + "'", MAX_VALUE);
  }

  /** Whether a user's header may not have this name. */
  public static boolean isReserved(String name) {
    return Headers.isReserved(name);
  }
}
