package io.postroad.layout;

/** What a column or field holds, as far as a layout minds. */
public enum ColumnKind {
  TEXT,
  /** A text out of a few that the type names. */
  ENUM,
  UUID,
  /** An id that MongoDB makes. */
  OBJECT_ID,
  /** Whole numbers. */
  NUMBER,
  BOOLEAN,
  TIME_WITH_ZONE,
  TIME_WITHOUT_ZONE,
  /** {@code jsonb}, {@code json}, an embedded document. */
  JSON,
  BYTES,
  /** Anything else, and a field of a collection that is one thing here and another there. */
  OTHER,
  /** A field of a collection that no document looked at has a value for. */
  UNKNOWN;

  /** A time of either sort. */
  public boolean isTime() {
    return this == TIME_WITH_ZONE || this == TIME_WITHOUT_ZONE;
  }
}
