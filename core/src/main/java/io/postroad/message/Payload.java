package io.postroad.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The body of a message with its content type: text (JSON or other), or bytes.
 *
 * <p>Immutable. Stores keep text as text, so that people can read it in the database, and bytes as
 * bytes. {@link #toString()} never shows the content.
 */
public final class Payload {
  /** Content type of {@link #json(String)}. */
  public static final String JSON = "application/json";

  private static final int MAX_CONTENT_TYPE = 255;

  private final String contentType;
  private final boolean isText;
  private final int size;

  /**
   * Either {@code text} or {@code bytes} is set from the start. UTF-8 bytes are decoded on the
   * first call that needs the text.
   */
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

  /** Creates a payload from JSON text. The text is not parsed. */
  public static Payload json(String json) {
    return text(json, JSON);
  }

  /**
   * Creates a payload from text with its content type, for example {@code application/xml}. Text
   * with a NUL character becomes bytes, because PostgreSQL cannot store it as text.
   */
  public static Payload text(String text, String contentType) {
    Objects.requireNonNull(text, "payload text");
    int size = Text.utf8Length(text, "payload text");
    return text.indexOf('\0') < 0
        ? new Payload(checked(contentType), true, text, null, size)
        : bytes(text.getBytes(StandardCharsets.UTF_8), contentType);
  }

  /**
   * Creates a text payload from UTF-8 bytes that a database or a broker returned. The bytes must
   * not contain NUL. They are not checked, and decoded only by {@link #text()}. The array is
   * copied.
   */
  public static Payload utf8(byte[] text, String contentType) {
    return new Payload(checked(contentType), true, null, text.clone(), text.length);
  }

  /** Creates a payload from bytes. The array is copied. */
  public static Payload bytes(byte[] bytes, String contentType) {
    return new Payload(checked(contentType), false, null, bytes.clone(), bytes.length);
  }

  public String contentType() {
    return contentType;
  }

  /** Returns the size in bytes; for text, that of its UTF-8 form. */
  public int size() {
    return size;
  }

  /** Returns whether the payload is text; then {@link #text()} returns it. */
  public boolean isText() {
    return isText;
  }

  /** Returns the text; empty if the payload is bytes. */
  public Optional<String> text() {
    return isText ? Optional.of(decoded()) : Optional.empty();
  }

  /** Decodes the bytes. Two threads may decode at the same time; both get equal texts. */
  private String decoded() {
    @Nullable String known = text;
    if (known == null) {
      known = new String(Objects.requireNonNull(bytes), StandardCharsets.UTF_8);
      text = known;
    }
    return known;
  }

  /** Returns the bytes in a new array; for text, those of its UTF-8 form. */
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
