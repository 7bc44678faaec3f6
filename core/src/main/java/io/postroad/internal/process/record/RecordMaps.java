package io.postroad.internal.process.record;

import io.postroad.message.JsonCodec;
import java.util.Map;

/**
 * Converts records to JSON and back with maps, independent of the JSON library.
 *
 * <table>
 * <caption>How a component is written</caption>
 * <tr><th>type</th><th>as</th></tr>
 * <tr><td>{@code String}, {@code boolean}, {@code int}, {@code long}, {@code double}</td>
 *     <td>itself</td></tr>
 * <tr><td>{@code BigDecimal}, {@code BigInteger}, {@code UUID}, {@code Instant}, {@code Duration},
 *     enums</td><td>text, so that no library rounds it</td></tr>
 * <tr><td>{@code Optional}, and what is annotated {@code Nullable}</td><td>no key when there is
 *     nothing</td></tr>
 * <tr><td>{@code List}, {@code Set}, {@code Map} with keys that are text, enums or UUIDs</td>
 *     <td>array, object</td></tr>
 * <tr><td>a record</td><td>object; of one that is {@link Sparse}, no key for what is empty</td></tr>
 * <tr><td>a sealed interface of records</td><td>object with the record's simple name as {@code
 *     kind}</td></tr>
 * <tr><td>{@code Object}</td><td>left to the JSON library</td></tr>
 * </table>
 *
 * <p>Reading is strict: a key that the record has not, a key that is missing, a number that does
 * not fit and text that is none of the enum's are refused, with the path to it and never with the
 * content. A component may be added to a record that is kept, if it is an {@code Optional}.
 *
 * <p>Immutable and safe to use from many threads. The components of a class are read once.
 */
public record RecordMaps(JsonCodec codec) {

  /** Writes a value as JSON text. */
  public <T> String write(T value, Class<T> type) {
    return codec.encode(toMap(value, type));
  }

  /** Reads a value from JSON text. */
  public <T> T read(String json, Class<T> type) {
    return fromMap(untyped(codec.decode(json, Map.class)), type);
  }

  /**
   * Converts a value to a map.
   *
   * @param type a record, or the sealed interface it is written as
   */
  public static <T> Map<String, Object> toMap(T value, Class<T> type) {
    return untyped(Shapes.ofObject(type).write(value, ValuePath.of(type)));
  }

  /**
   * Reads a value from a map.
   *
   * @param type a record, or the sealed interface it was written as
   */
  public static <T> T fromMap(Map<String, ?> map, Class<T> type) {
    return type.cast(Shapes.ofObject(type).read(map, ValuePath.of(type)));
  }

  @SuppressWarnings("unchecked") // the names of a JSON object are text
  private static Map<String, Object> untyped(Map<?, ?> map) {
    return (Map<String, Object>) map;
  }
}
