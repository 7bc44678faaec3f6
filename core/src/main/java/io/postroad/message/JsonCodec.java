package io.postroad.message;

/**
 * Writes values as JSON text and reads them. Postroad has no JSON parser of its own: {@code
 * postroad-jackson} contains a codec, and a framework module uses the mapper of its framework.
 *
 * <p>An implementation MUST be thread-safe.
 */
public interface JsonCodec {

  /**
   * Writes a value as JSON text.
   *
   * @throws JsonCodecException if the value cannot be written; the text names its class
   */
  String encode(Object value);

  /**
   * Reads a value of a class from JSON text. The text never decides the class.
   *
   * @throws JsonCodecException if the text is not JSON or does not fit the class
   */
  <T> T decode(String json, Class<T> type);
}
