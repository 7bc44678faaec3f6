package io.postroad.example.payments.infrastructure.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.postroad.example.payments.domain.model.Money;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a JSON object. A missing or wrong field causes a {@link ProblemException}
 * that names it. Immutable.
 */
final class Fields {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  /** A date with a year of four digits, as the columns require. */
  private static final Pattern DATE_TEXT = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final JsonNode node;
  private final String path;

  private Fields(JsonNode node, String path) {
    this.node = node;
    this.path = path;
  }

  static Fields of(@Nullable String body) {
    if (body == null || body.isBlank()) {
      throw ProblemException.invalid("body", "is missing");
    }
    try {
      return object(JSON.readTree(body), "body", "");
    } catch (JsonProcessingException malformed) {
      throw ProblemException.invalid("body", "is not JSON: " + malformed.getOriginalMessage());
    }
  }

  private static Fields object(@Nullable JsonNode node, String field, String path) {
    if (node == null || !node.isObject()) {
      throw ProblemException.invalid(field, "must be an object");
    }
    return new Fields(node, path);
  }

  /** Reads a UUID of a path. */
  static UUID pathId(String name, String text) {
    return parsed(text).orElseThrow(() -> ProblemException.invalid(name, "must be a UUID"));
  }

  String name(String field) {
    return path + field;
  }

  boolean has(String field) {
    JsonNode value = node.get(field);
    return value != null && !value.isNull();
  }

  private JsonNode required(String field) {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      throw ProblemException.invalid(name(field), "is missing");
    }
    return value;
  }

  String text(String field, int most) {
    JsonNode value = required(field);
    if (!value.isTextual()) {
      throw ProblemException.invalid(name(field), "must be a text");
    }
    String text = value.textValue();
    if (text.isBlank()) {
      throw ProblemException.invalid(name(field), "is missing");
    }
    if (text.length() > most) {
      throw ProblemException.invalid(
          name(field), "must have at most %d characters".formatted(most));
    }
    if (text.codePoints().anyMatch(each -> each < ' ' || (each >= 0xD800 && each <= 0xDFFF))) {
      throw ProblemException.invalid(name(field), "must not have control characters or surrogates");
    }
    return text;
  }

  String currency(String field) {
    String text = text(field, 100);
    if (!text.matches("[A-Z]{3}")) {
      throw ProblemException.invalid(name(field), "must be three capital letters");
    }
    return text;
  }

  UUID id(String field) {
    return parsed(text(field, 100))
        .orElseThrow(() -> ProblemException.invalid(name(field), "must be a UUID"));
  }

  UUID idOrNew(String field) {
    return has(field) ? id(field) : UUID.randomUUID();
  }

  private static Optional<UUID> parsed(String text) {
    return UUID_TEXT.matcher(text).matches()
        ? Optional.of(UUID.fromString(text))
        : Optional.empty();
  }

  boolean flag(String field) {
    JsonNode value = required(field);
    if (!value.isBoolean()) {
      throw ProblemException.invalid(name(field), "must be true or false");
    }
    return value.booleanValue();
  }

  LocalDate date(String field) {
    String text = text(field, 100);
    try {
      if (DATE_TEXT.matcher(text).matches()) {
        return LocalDate.parse(text);
      }
    } catch (DateTimeParseException noSuchDay) {
      // Refused below.
    }
    throw ProblemException.invalid(name(field), "must be a date like 2026-11-30");
  }

  <E extends Enum<E>> E one(String field, Class<E> type) {
    String text = text(field, 100);
    return Arrays.stream(type.getEnumConstants())
        .filter(each -> each.name().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                ProblemException.invalid(
                    name(field), "must be one of " + Arrays.toString(type.getEnumConstants())));
  }

  /** Reads a positive amount that fits into the columns. */
  Money amount(String field, String currency) {
    JsonNode value = required(field);
    if (!value.isNumber()) {
      throw ProblemException.invalid(name(field), "must be a number");
    }
    BigDecimal amount = value.decimalValue();
    if (amount.signum() <= 0) {
      throw ProblemException.invalid(name(field), "must be positive");
    }
    if ((long) amount.precision() - amount.scale() > Money.DIGITS
        || fractionDigits(amount) > Money.SCALE) {
      throw ProblemException.invalid(
          name(field),
          "must have at most %d digits before and %d behind the point"
              .formatted(Money.DIGITS, Money.SCALE));
    }
    return new Money(amount, currency);
  }

  /** Counts the digits after the point without trailing zeros; the size was checked before. */
  private static int fractionDigits(BigDecimal amount) {
    return amount.scale() <= Money.SCALE ? amount.scale() : amount.stripTrailingZeros().scale();
  }

  /** Reads an object with amount and currencyCode. */
  Money money(String field) {
    Fields money = object(field);
    return money.amount("amount", money.currency("currencyCode"));
  }

  Fields object(String field) {
    return object(required(field), name(field), name(field) + ".");
  }

  /** Reads a list of objects with a maximum length; empty if the field is missing. */
  List<Fields> objects(String field, int most) {
    if (!has(field)) {
      return List.of();
    }
    JsonNode list = required(field);
    if (!list.isArray()) {
      throw ProblemException.invalid(name(field), "must be a list");
    }
    if (list.size() > most) {
      throw ProblemException.invalid(name(field), "must have at most %d entries".formatted(most));
    }
    List<Fields> all = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      String entry = "%s[%d]".formatted(name(field), i);
      all.add(object(list.get(i), entry, entry + "."));
    }
    return all;
  }
}
