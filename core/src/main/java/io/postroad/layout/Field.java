package io.postroad.layout;

import java.util.Locale;

/** Fields of a message in an outbox. Columns that a layout does not name are added. */
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
  /** Word of {@link Statuses}. */
  STATUS(false),
  /** Time from which it may be claimed: its due time or its retry; empty means at once. */
  DUE_AT(false),
  /** Number of attempts, counted as {@link Counting} says. */
  ATTEMPTS(false),
  LEASE_OWNER(false),
  LEASE_UNTIL(false),
  /** Rises with every claim; a settle counts only with the latest one. */
  LEASE_TOKEN(false),
  LAST_ERROR(false),
  /** Time of delivery or of becoming a dead letter. */
  SETTLED_AT(false),
  /** Time since which it waits until its destination is open again. */
  ASIDE_AT(false);

  private final boolean required;

  Field(boolean required) {
    this.required = required;
  }

  /** Whether a layout must name its column; other fields can be added or have a fallback. */
  public boolean isRequired() {
    return required;
  }

  /** Returns the name of the column or field that is added where a table has none. */
  public String addedName() {
    return "postroad_" + name().toLowerCase(Locale.ROOT);
  }
}
