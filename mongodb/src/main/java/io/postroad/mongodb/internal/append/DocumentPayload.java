package io.postroad.mongodb.internal.append;

import io.postroad.layout.Field;
import io.postroad.layout.PayloadForm;
import io.postroad.message.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Payloads in the form that a collection has. It is written in that form; read is whatever is
 * there. A payload that would not come back from the form as it was (blanks, bytes that are no
 * text) is kept beside it too, so that what is sent is what was appended.
 */
public record DocumentPayload(String field, PayloadForm form) {
  private static final String EXACT = Field.PAYLOAD.addedName();

  public void write(Payload payload, BsonDocument document) {
    document.put(field, formed(payload));
    if (!reads(payload, document)) {
      document.put(EXACT, plain(payload));
    }
  }

  private boolean reads(Payload payload, BsonDocument document) {
    try {
      return read(document, payload.contentType()).equals(payload);
    } catch (IllegalArgumentException otherForm) {
      return false;
    }
  }

  private BsonValue formed(Payload payload) {
    return switch (form) {
      case TEXT -> plain(payload);
      case BYTES -> new BsonBinary(payload.bytes());
      case BASE64 -> new BsonString(Base64.getEncoder().encodeToString(payload.bytes()));
      case JSON ->
          payload.text().<BsonValue>flatMap(DocumentPayload::embedded).orElse(plain(payload));
    };
  }

  /** Leaves a payload that is no JSON object as it is. */
  private static Optional<BsonValue> embedded(String json) {
    try {
      return Optional.of(EmbeddedJson.parse(json));
    } catch (IllegalArgumentException notEmbeddable) {
      return Optional.empty();
    }
  }

  private static BsonValue plain(Payload payload) {
    return payload
        .text()
        .<BsonValue>map(BsonString::new)
        .orElseGet(() -> new BsonBinary(payload.bytes()));
  }

  /**
   * The payload of a document.
   *
   * @throws IllegalArgumentException when it has none
   */
  public Payload read(BsonDocument document, String contentType) {
    if (document.containsKey(EXACT)) {
      BsonValue exact = document.get(EXACT, BsonNull.VALUE);
      return exact.isString()
          ? Payload.text(exact.asString().getValue(), contentType)
          : Payload.bytes(exact.asBinary().getData(), contentType);
    }
    BsonValue value = document.get(field, BsonNull.VALUE);
    return switch (value.getBsonType()) {
      case DOCUMENT, ARRAY -> Payload.text(EmbeddedJson.write(value), contentType);
      case BINARY -> bytes(value.asBinary().getData(), contentType);
      case STRING -> text(value.asString().getValue(), contentType);
      case NULL -> throw new IllegalArgumentException("its field '%s' is empty".formatted(field));
      default ->
          throw new IllegalArgumentException(
              "its field '%s' is a %s; a payload is an embedded document, a text or bytes"
                  .formatted(field, value.getBsonType()));
    };
  }

  private Payload text(String text, String contentType) {
    if (form == PayloadForm.BASE64) {
      return bytes(Base64.getDecoder().decode(text), contentType);
    }
    if (form == PayloadForm.JSON && !text.isEmpty() && !isJson(text)) {
      Optional<String> decoded = decoded(text);
      if (decoded.isPresent()) {
        return Payload.text(decoded.get(), contentType);
      }
    }
    return Payload.text(text, contentType);
  }

  /** JSON in base64; no other text is taken for base64. */
  private static Optional<String> decoded(String text) {
    try {
      return utf8(Base64.getDecoder().decode(text)).filter(DocumentPayload::isJson);
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
  }

  private static boolean isJson(String text) {
    String begin = text.stripLeading();
    return begin.startsWith("{") || begin.startsWith("[");
  }

  /** Text, where the content type says so and it is. */
  private static Payload bytes(byte[] bytes, String contentType) {
    boolean textual = contentType.startsWith("text/") || contentType.contains("json");
    Optional<String> text = textual ? utf8(bytes) : Optional.empty();
    return text.map(found -> Payload.text(found, contentType))
        .orElseGet(() -> Payload.bytes(bytes, contentType));
  }

  private static Optional<String> utf8(byte[] bytes) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException binary) {
      return Optional.empty();
    }
  }
}
