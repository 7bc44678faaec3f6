package io.postroad.adopt;

/** Kind of values in a column or field. */
public enum ColumnKind {
  TEXT,
  /** Text out of a few that the type names. */
  ENUM,
  UUID,
  /** Id that MongoDB makes. */
  OBJECT_ID,
  /** Whole numbers. */
  NUMBER,
  BOOLEAN,
  TIME_WITH_ZONE,
  TIME_WITHOUT_ZONE,
  /** {@code jsonb}, {@code json}, an embedded document. */
  JSON,
  BYTES,
  /** Any other kind, and a field that has different kinds in different documents. */
  OTHER,
  /** Field of a collection that is empty in all documents of the sample. */
  UNKNOWN;

  /** Whether it is a time, with or without a zone. */
  public boolean isTime() {
    return this == TIME_WITH_ZONE || this == TIME_WITHOUT_ZONE;
  }
}
