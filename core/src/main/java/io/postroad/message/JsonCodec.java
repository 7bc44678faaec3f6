package io.postroad.message;

/**
 * Turns values into JSON text and back. Postroad has no JSON parser of its own: {@code
 * postroad-jackson} brings one, a framework module uses its framework's mapper.
 *
 * <p>An implementation MUST be safe to use from many threads.
 */
public interface JsonCodec {

  /**
   * The value as JSON text.
   *
   * @throws JsonCodecException when the value cannot be written, naming its class
   */
  String encode(Object value);

  /**
   * The value of a class that this JSON text describes. A class name never comes from the text.
   *
   * @throws JsonCodecException when the text is not JSON or does not fit the class
   */
  <T> T decode(String json, Class<T> type);
}
