package io.postroad.message;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Names of the headers that a message has on a broker. Transports map them to names that their
 * broker allows.
 */
public final class WireHeaders {
  public static final String EVENT_ID = "event-id";
  public static final String EVENT_TYPE = "event-type";

  /** Absent if it is {@link Payload#JSON}. */
  public static final String CONTENT_TYPE = "content-type";

  /** Absent for an event. */
  public static final String CATEGORY = "postroad-category";

  /** Absent if it is 1. */
  public static final String SCHEMA_VERSION = "postroad-schema-version";

  public static final String AGGREGATE_TYPE = "postroad-aggregate-type";
  public static final String AGGREGATE_ID = "postroad-aggregate-id";
  public static final String TENANT = "postroad-tenant";

  /**
   * Has the value {@link #BYTES} if the payload is bytes, which may look like text; absent for
   * text.
   */
  public static final String BODY = "postroad-body";

  /** Value of {@link #BODY}. */
  public static final String BYTES = "bytes";

  /** Contains the key for brokers that have no key of their own. */
  public static final String KEY = "postroad-key";

  /** On a message in a retry line: the id of the received message. */
  public static final String RETRY_OF = "postroad-retry-of";

  /** On a message in a retry line: the destination from which it was received. */
  public static final String RETRY_FROM = "postroad-retry-from";

  /** On a message in a retry line: the name of the handler that is to handle it. */
  public static final String RETRY_HANDLER = "postroad-retry-handler";

  /** On a message in a retry line: the reason why no handler can ever handle it. */
  public static final String REFUSED = "postroad-refused";

  /** Limits how many headers of its own a message has. */
  public static final int MAX_COUNT = Headers.MAX_COUNT;

  /** Limits the characters of a header's value. */
  public static final int MAX_VALUE = Headers.MAX_VALUE;

  /** Prefix of the header names that only Postroad may use. */
  static final String OWN_PREFIX = "postroad-";

  private WireHeaders() {}

  /**
   * Returns all headers of a message on the wire: its own, and those that are made from its parts.
   */
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

  /** Returns whether all characters of a name are allowed in a header name. */
  public static boolean isName(String name) {
    return Headers.isName(name);
  }

  /**
   * Returns the value, or refuses it: a value has at most {@link #MAX_VALUE} characters, no control
   * characters and no lone surrogates.
   *
   * @throws IllegalArgumentException if the value is refused; the text names the header
   */
  public static String checkedValue(String name, String value) {
    return Text.storable(value, "header '" + name + "'", MAX_VALUE);
  }

  /** Returns whether only Postroad may use this header name. */
  public static boolean isReserved(String name) {
    return Headers.isReserved(name);
  }
}
