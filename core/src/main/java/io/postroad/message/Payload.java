package io.postroad.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The body of a message with its content type: text (JSON or other), or bytes.
 *
 * <p>Immutable. Text stays text in the database, so that a person can read it there; bytes stay
 * bytes. {@link #toString()} never shows the content.
 */
public final class Payload {
  /** Content type of {@link #json(String)}. */
  public static final String JSON = "application/json";

  private static final int MAX_CONTENT_TYPE = 255;

  private final String contentType;
  private final boolean isText;
  private final int size;

  /** One of the two is always there; the text of UTF-8 bytes is decoded when it is asked for. */
  private @Nullable String text;

  private final byte @Nullable [] bytes;

  private Payload(
      String contentType,
      boolean isText,
      @Nullable String text,
      byte @Nullable [] bytes,
      int size) {
    this.contentType = contentType;
    this.isText = isText;
    this.text = text;
    this.bytes = bytes;
    this.size = size;
  }

  /** JSON that is already text. It is not parsed. */
  public static Payload json(String json) {
    return text(json, JSON);
  }

  /**
   * Text with a content type of its own, for example {@code application/xml}. Text with a NUL
   * character is kept as bytes, because PostgreSQL cannot store it as text.
   */
  public static Payload text(String text, String contentType) {
    Objects.requireNonNull(text, "payload text");
    int size = Text.utf8Length(text, "payload text");
    return text.indexOf('\0') < 0
        ? new Payload(checked(contentType), true, text, null, size)
        : bytes(text.getBytes(StandardCharsets.UTF_8), contentType);
  }

  /**
   * Text as the UTF-8 bytes that a database or a broker gave, without NUL characters. They are not
   * looked at, and decoded only where {@link #text()} is asked for. The array is copied.
   */
  public static Payload utf8(byte[] text, String contentType) {
    return new Payload(checked(contentType), true, null, text.clone(), text.length);
  }

  /** Bytes. The array is copied. */
  public static Payload bytes(byte[] bytes, String contentType) {
    return new Payload(checked(contentType), false, null, bytes.clone(), bytes.length);
  }

  public String contentType() {
    return contentType;
  }

  /** Size in bytes, of the UTF-8 form where it is text. */
  public int size() {
    return size;
  }

  /** True when this is kept as text; then {@link #text()} has it. */
  public boolean isText() {
    return isText;
  }

  /** The text, or nothing when this payload is bytes. */
  public Optional<String> text() {
    return isText ? Optional.of(decoded()) : Optional.empty();
  }

  /** Two threads may both decode it; they get equal texts. */
  private String decoded() {
    @Nullable String known = text;
    if (known == null) {
      known = new String(Objects.requireNonNull(bytes), StandardCharsets.UTF_8);
      text = known;
    }
    return known;
  }

  /** The bytes; text comes in UTF-8. A fresh array each time. */
  public byte[] bytes() {
    return bytes != null ? bytes.clone() : decoded().getBytes(StandardCharsets.UTF_8);
  }

  private static String checked(String contentType) {
    return JSON.equals(contentType)
        ? JSON
        : Text.required(
            contentType, "payload content type", "for example " + JSON, MAX_CONTENT_TYPE);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Payload that
        && contentType.equals(that.contentType)
        && isText == that.isText
        && (isText ? decoded().equals(that.decoded()) : Arrays.equals(bytes, that.bytes));
  }

  @Override
  public int hashCode() {
    return 31 * contentType.hashCode() + (isText ? decoded().hashCode() : Arrays.hashCode(bytes));
  }

  @Override
  public String toString() {
    return "Payload[" + contentType + ", " + size + " bytes]";
  }
}
