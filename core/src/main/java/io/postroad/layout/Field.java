package io.postroad.layout;

import java.util.Locale;

/** What an outbox keeps of a message. A layout says where; what it leaves out is added beside. */
public enum Field {
  ID(true),
  CATEGORY(false),
  TYPE(false),
  AGGREGATE_TYPE(false),
  AGGREGATE_ID(false),
  KEY(false),
  DESTINATION(false),
  TENANT(false),
  SCHEMA_VERSION(false),
  HEADERS(false),
  CONTENT_TYPE(false),
  PAYLOAD(true),
  DEDUPLICATION_KEY(false),
  NOT_BEFORE(false),
  CREATED_AT(false),
  /** Its word of {@link Statuses}. */
  STATUS(false),
  /** When it may be taken: its due time or its retry; empty means from the beginning. */
  DUE_AT(false),
  /** How often it was tried, counted as {@link Counting} says. */
  ATTEMPTS(false),
  LEASE_OWNER(false),
  LEASE_UNTIL(false),
  /** Rises with every claim; a settle counts only with the latest one. */
  LEASE_TOKEN(false),
  LAST_ERROR(false),
  /** When it was delivered or died. */
  SETTLED_AT(false),
  /** Since when it waits until its destination is open again. */
  ASIDE_AT(false);

  private final boolean required;

  Field(boolean required) {
    this.required = required;
  }

  /** Whether a layout must say where it is; every other field can be added or have a fallback. */
  public boolean isRequired() {
    return required;
  }

  /** The name of the column or field that is added where a table has none for it. */
  public String addedName() {
    return "postroad_" + name().toLowerCase(Locale.ROOT);
  }
}
