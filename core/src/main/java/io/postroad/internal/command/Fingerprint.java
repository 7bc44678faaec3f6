package io.postroad.internal.command;

import io.postroad.message.JsonCodec;
import io.postroad.message.JsonCodecException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes the fingerprint by which two commands are the same: their type and payload, regardless
 * of white space, the order of fields and the format of numbers. Safe to use from many threads.
 */
public final class Fingerprint {
  private final JsonCodec codec;

  public Fingerprint(JsonCodec codec) {
    this.codec = codec;
  }

  /**
   * Returns the fingerprint of a command.
   *
   * @throws IllegalArgumentException when the payload is no JSON object
   */
  String of(String type, String payload) {
    return digest(type + '\n' + canonical(object(type, payload)));
  }

  private Object object(String type, String payload) {
    Object value;
    try {
      value = codec.decode(payload, Object.class);
    } catch (JsonCodecException noJson) {
      throw new IllegalArgumentException(
          "the payload of a %s command is not JSON: %s; nothing was accepted"
              .formatted(type, noJson.getMessage()),
          noJson);
    }
    if (!(value instanceof Map)) {
      throw new IllegalArgumentException(
          "the payload of a %s command must be a JSON object, got a %s; nothing was accepted"
              .formatted(type, value instanceof List ? "list" : "scalar"));
    }
    return value;
  }

  private static String canonical(@Nullable Object value) {
    StringBuilder text = new StringBuilder();
    write(text, value);
    return text.toString();
  }

  private static void write(StringBuilder text, @Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> sorted = new TreeMap<>();
      map.forEach((key, item) -> sorted.put(String.valueOf(key), item));
      text.append('{');
      sorted.forEach(
          (key, item) -> {
            writeText(text, key);
            write(text.append(':'), item);
            text.append(',');
          });
      text.append('}');
    } else if (value instanceof List<?> list) {
      text.append('[');
      for (@Nullable Object item : list) {
        write(text, item);
        text.append(',');
      }
      text.append(']');
    } else if (value instanceof Number number) {
      text.append(canonical(number));
    } else if (value instanceof String string) {
      writeText(text, string);
    } else {
      text.append(value);
    }
  }

  /** Writes a text with its length, so that no text can look like the structure around it. */
  private static void writeText(StringBuilder text, String value) {
    text.append(value.length()).append('"').append(value).append('"');
  }

  private static String canonical(Number number) {
    if ((number instanceof Integer || number instanceof Long) && number.longValue() % 10 != 0) {
      return number.toString();
    }
    BigDecimal exact =
        number instanceof BigInteger big ? new BigDecimal(big) : new BigDecimal(number.toString());
    return exact.signum() == 0 ? "0" : exact.stripTrailingZeros().toString();
  }

  private static String digest(String text) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }
}
