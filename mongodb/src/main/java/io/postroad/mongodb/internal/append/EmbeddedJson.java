package io.postroad.mongodb.internal.append;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/**
 * JSON as a document, and back. Numbers with a fraction are decimals, so that money stays what it
 * is. Types that only BSON has come as text: times by ISO 8601, UUIDs and ObjectIds as they are
 * written, bytes as base64.
 */
public final class EmbeddedJson {
  private static final int DEEPEST = 80;

  private final String text;
  private int at;

  private EmbeddedJson(String text) {
    this.text = text;
  }

  /**
   * The document of a JSON object.
   *
   * @throws IllegalArgumentException when it is none, or one that a document cannot hold
   */
  static BsonDocument parse(String json) {
    EmbeddedJson parser = new EmbeddedJson(json);
    try {
      parser.blanks();
      BsonDocument document = parser.object(1);
      parser.blanks();
      if (parser.at < json.length()) {
        throw parser.wrong();
      }
      return document;
    } catch (StringIndexOutOfBoundsException ended) {
      throw parser.wrong();
    }
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException(
        "not a JSON object that a document can hold, at character " + at);
  }

  private BsonValue value(int depth) {
    return switch (text.charAt(at)) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> new BsonString(string());
      case 't' -> word("true", BsonBoolean.TRUE);
      case 'f' -> word("false", BsonBoolean.FALSE);
      case 'n' -> word("null", BsonNull.VALUE);
      default -> number();
    };
  }

  private BsonDocument object(int depth) {
    enter('{', depth);
    BsonDocument document = new BsonDocument();
    while (more('}', document.isEmpty())) {
      String name = string();
      blanks();
      expect(':');
      blanks();
      if (name.indexOf('\0') >= 0 || document.put(name, value(depth + 1)) != null) {
        throw wrong();
      }
    }
    return document;
  }

  private BsonArray array(int depth) {
    enter('[', depth);
    BsonArray array = new BsonArray();
    while (more(']', array.isEmpty())) {
      array.add(value(depth + 1));
    }
    return array;
  }

  private void enter(char bracket, int depth) {
    if (depth > DEEPEST) {
      throw wrong();
    }
    expect(bracket);
  }

  /** Goes to the next member, or behind the end. */
  private boolean more(char end, boolean first) {
    blanks();
    if (text.charAt(at) == end) {
      at++;
      return false;
    }
    if (!first) {
      expect(',');
      blanks();
    }
    return true;
  }

  private void expect(char expected) {
    if (text.charAt(at) != expected) {
      throw wrong();
    }
    at++;
  }

  private BsonValue word(String word, BsonValue value) {
    if (!text.startsWith(word, at)) {
      throw wrong();
    }
    at += word.length();
    return value;
  }

  private String string() {
    expect('"');
    StringBuilder string = new StringBuilder();
    for (char next = text.charAt(at++); next != '"'; next = text.charAt(at++)) {
      if (next < ' ') {
        throw wrong();
      }
      string.append(next == '\\' ? escaped() : next);
    }
    return string.toString();
  }

  private char escaped() {
    char escape = text.charAt(at++);
    return switch (escape) {
      case '"', '\\', '/' -> escape;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw wrong();
    };
  }

  private char unicode() {
    int code = 0;
    for (int end = at + 4; at < end; at++) {
      int digit = Character.digit(text.charAt(at), 16);
      if (digit < 0) {
        throw wrong();
      }
      code = code * 16 + digit;
    }
    return (char) code;
  }

  private BsonValue number() {
    int from = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String number = text.substring(from, at);
    if (!number.matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?")) {
      throw wrong();
    }
    boolean whole = number.chars().allMatch(each -> each == '-' || Character.isDigit(each));
    if (whole && number.length() <= 18) {
      long value = Long.parseLong(number);
      return value == (int) value ? new BsonInt32((int) value) : new BsonInt64(value);
    }
    try {
      return new BsonDecimal128(new Decimal128(new BigDecimal(number)));
    } catch (NumberFormatException tooLong) {
      throw new IllegalArgumentException("a number has more digits than a document holds", tooLong);
    }
  }

  private void blanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  /** JSON without blanks. */
  public static String write(BsonValue value) {
    StringBuilder json = new StringBuilder();
    write(value, json);
    return json.toString();
  }

  private static void write(BsonValue value, StringBuilder json) {
    switch (value.getBsonType()) {
      case DOCUMENT -> document(value.asDocument(), json);
      case ARRAY -> array(value.asArray(), json);
      case NULL, UNDEFINED -> json.append("null");
      case BOOLEAN -> json.append(value.asBoolean().getValue());
      case INT32 -> json.append(value.asInt32().getValue());
      case INT64 -> json.append(value.asInt64().getValue());
      case DOUBLE -> number(value.asDouble().getValue(), json);
      case DECIMAL128 -> number(value.asDecimal128().getValue(), json);
      case STRING -> string(value.asString().getValue(), json);
      case DATE_TIME ->
          string(Instant.ofEpochMilli(value.asDateTime().getValue()).toString(), json);
      case OBJECT_ID -> string(value.asObjectId().getValue().toHexString(), json);
      case BINARY ->
          string(
              MessageDocument.isUuid(value)
                  ? value.asBinary().asUuid().toString()
                  : Base64.getEncoder().encodeToString(value.asBinary().getData()),
              json);
      default -> string(value.toString(), json);
    }
  }

  private static void document(BsonDocument document, StringBuilder json) {
    json.append('{');
    String between = "";
    for (Map.Entry<String, BsonValue> field : document.entrySet()) {
      json.append(between);
      string(field.getKey(), json);
      json.append(':');
      write(field.getValue(), json);
      between = ",";
    }
    json.append('}');
  }

  private static void array(BsonArray array, StringBuilder json) {
    json.append('[');
    String between = "";
    for (BsonValue each : array) {
      json.append(between);
      write(each, json);
      between = ",";
    }
    json.append(']');
  }

  /** As JavaScript writes it: a whole number without a point. */
  private static void number(double value, StringBuilder json) {
    if (!Double.isFinite(value)) {
      string(Double.toString(value), json);
    } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      json.append((long) value);
    } else {
      json.append(value);
    }
  }

  private static void number(Decimal128 value, StringBuilder json) {
    try {
      json.append(value.bigDecimalValue());
    } catch (ArithmeticException notANumber) {
      string(value.toString(), json);
    }
  }

  private static void string(String string, StringBuilder json) {
    json.append('"');
    for (int i = 0; i < string.length(); i++) {
      char each = string.charAt(i);
      switch (each) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\b' -> json.append("\\b");
        case '\f' -> json.append("\\f");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        default -> {
          if (each < ' ') {
            json.append("\\u%04X".formatted((int) each));
          } else {
            json.append(each);
          }
        }
      }
    }
    json.append('"');
  }
}
