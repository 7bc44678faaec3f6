package io.postroad.jackson;

import io.postroad.message.JsonCodec;
import io.postroad.message.JsonCodecException;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A {@link JsonCodec} with a Jackson 3 mapper: a hardened one ({@link #create()}), or the
 * application's ({@link #over}).
 *
 * <p>The rules of the hardened mapper apply to reading and writing unless noted.
 *
 * <table>
 * <caption>Rules of {@link #create()}</caption>
 * <tr><th>subject</th><th>rule</th></tr>
 * <tr><td>size</td><td>at most 1 MiB of UTF-8 (the outbox's payload limit), or the limit of
 *     {@link #create(int)}</td></tr>
 * <tr><td>depth</td><td>64; also ends a cycle of objects</td></tr>
 * <tr><td>reading: numbers, names</td><td>at most 100 characters a number, 256 a name</td></tr>
 * <tr><td>reading: duplicate keys, trailing text</td><td>refused</td></tr>
 * <tr><td>reading: unknown properties</td><td>ignored, so that a sender may add a field before its
 *     receivers know it; refused with {@link #refusingUnknownFields()}</td></tr>
 * <tr><td>reading: class names</td><td>never taken from the text; subtypes by declared name
 *     ({@code @JsonSubTypes}) work</td></tr>
 * <tr><td>precision</td><td>{@code long} and {@code BigDecimal} are exact; fractions in untyped
 *     places become {@code BigDecimal}; 1.9 is refused for an {@code int}, and not cut to
 *     1</td></tr>
 * <tr><td>{@code java.time}</td><td>ISO-8601 text; an offset stays as it was written</td></tr>
 * <tr><td>writing: a class without properties</td><td>refused, because its content would be lost
 *     silently; a record without components is <code>{}</code></td></tr>
 * </table>
 *
 * <p>With {@link #over} the mapper decides all of that. Both codecs refuse text with a lone
 * surrogate, because it has no UTF-8 form and could not be stored or sent, and the document {@code
 * null}.
 *
 * <p>Thread-safe, stateless, no I/O. Every failure is a {@link JsonCodecException} that names the
 * class and the position, and never the content. Jackson's own exceptions quote the text, so they
 * are not the cause. If the code of the class threw (for example a record that checks its values),
 * that exception is the cause. Otherwise the cause is a substitute with Jackson's exception type,
 * position and stack trace.
 */
public final class JacksonJsonCodec implements JsonCodec {
  /** Limit of {@link #create()} in bytes of UTF-8. */
  public static final int DEFAULT_MAX_DOCUMENT = 1024 * 1024;

  private final JsonMapper mapper;
  private final boolean isHardened;
  private final JsonText text;

  private JacksonJsonCodec(JsonMapper mapper, boolean isHardened, int maxDocument) {
    this.mapper = mapper;
    this.isHardened = isHardened;
    this.text = new JsonText(maxDocument);
  }

  /** Creates a codec with a hardened mapper that reads and writes at most 1 MiB. */
  public static JacksonJsonCodec create() {
    return create(DEFAULT_MAX_DOCUMENT);
  }

  /**
   * Creates a codec with a hardened mapper and another size limit.
   *
   * @param maxDocument the largest document in bytes of UTF-8, at least 1
   */
  public static JacksonJsonCodec create(int maxDocument) {
    if (maxDocument < 1) {
      throw new IllegalArgumentException(
          "maxDocument must be 1 byte or more, got %d; the default is %d"
              .formatted(maxDocument, DEFAULT_MAX_DOCUMENT));
    }
    return new JacksonJsonCodec(HardenedMapper.create(), true, maxDocument);
  }

  /** Creates a codec with the application's own mapper, which is never changed. */
  public static JacksonJsonCodec over(JsonMapper mapper) {
    return new JacksonJsonCodec(Objects.requireNonNull(mapper, "mapper"), false, Integer.MAX_VALUE);
  }

  /**
   * Returns a codec that also refuses fields that the class does not have, so that senders learn of
   * misspelt fields. The failure names the fields of the class, not the unknown one. A class that
   * ignores unknown fields by annotation still does.
   */
  public JacksonJsonCodec refusingUnknownFields() {
    JsonMapper strict =
        mapper.rebuild().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
    return new JacksonJsonCodec(strict, isHardened, text.maxDocument());
  }

  @Override
  public String encode(Object value) {
    Objects.requireNonNull(value, "value to write as JSON");
    try {
      String json = written(value);
      text.check(json);
      return json;
    } catch (RuntimeException failure) {
      throw JsonFailure.writing(value.getClass(), failure);
    }
  }

  /**
   * Writes a value. An application's mapper also writes plain maps, because it may have its own
   * form for them.
   */
  private String written(Object value) {
    Optional<String> plain = isHardened ? PlainJson.of(value) : Optional.empty();
    return plain.orElseGet(() -> mapper.writeValueAsString(value));
  }

  @Override
  public <T> T decode(String json, Class<T> type) {
    Objects.requireNonNull(json, "JSON text");
    try {
      text.check(json);
      text.checkEscapes(json);
      return JsonText.present(mapper.readValue(json, type));
    } catch (RuntimeException failure) {
      throw JsonFailure.reading(type, failure);
    }
  }
}
