package io.postroad.layout;

/** Form of payloads in a table or collection. */
public enum PayloadForm {
  /** Text, as it is sent. */
  TEXT,
  /** JSON that the database understands: {@code jsonb}, {@code json}, an embedded document. */
  JSON,
  /** Bytes, as they are sent. */
  BYTES,
  /** Bytes in a text, as base64. */
  BASE64
}
