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
  private final @Nullable String text;
  private final byte @Nullable [] bytes;
  private final int size;

  private Payload(String contentType, @Nullable String text, byte @Nullable [] bytes, int size) {
    this.contentType = contentType;
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
        ? new Payload(checked(contentType), text, null, size)
        : bytes(text.getBytes(StandardCharsets.UTF_8), contentType);
  }

  /** Bytes. The array is copied. */
  public static Payload bytes(byte[] bytes, String contentType) {
    return new Payload(checked(contentType), null, bytes.clone(), bytes.length);
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
    return text != null;
  }

  /** The text, or nothing when this payload is bytes. */
  public Optional<String> text() {
    return Optional.ofNullable(text);
  }

  /** The bytes; text comes in UTF-8. A fresh array each time. */
  public byte[] bytes() {
    return text != null
        ? text.getBytes(StandardCharsets.UTF_8)
        : Objects.requireNonNull(bytes).clone();
  }

  private static String checked(String contentType) {
    return Text.required(
        contentType, "payload content type", "for example " + JSON, MAX_CONTENT_TYPE);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Payload that
        && contentType.equals(that.contentType)
        && Objects.equals(text, that.text)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * Objects.hash(contentType, text) + Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "Payload[" + contentType + ", " + size + " bytes]";
  }
}
