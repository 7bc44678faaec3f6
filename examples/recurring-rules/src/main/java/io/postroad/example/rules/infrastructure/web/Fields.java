package io.postroad.example.rules.infrastructure.web;

import io.postroad.example.rules.domain.InvalidRuleException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a request; an error names the field. */
final class Fields {
  private static final int DATE_LENGTH = 10;

  private Fields() {}

  static <V> V required(String field, @Nullable V value) {
    if (value == null) {
      throw new InvalidRuleException(field, "is missing");
    }
    return value;
  }

  static LocalDate date(String field, @Nullable String value) {
    return parse(field, required(field, value));
  }

  static @Nullable LocalDate optionalDate(String field, @Nullable String value) {
    return value == null ? null : parse(field, value);
  }

  private static LocalDate parse(String field, String value) {
    try {
      if (value.length() == DATE_LENGTH) {
        return LocalDate.parse(value);
      }
    } catch (DateTimeException noDate) {
      // Refused below.
    }
    throw new InvalidRuleException(field, "must be a date like 2026-01-31");
  }

  static <E extends Enum<E>> E oneOf(String field, @Nullable String value, Class<E> type) {
    String name = required(field, value);
    for (E each : type.getEnumConstants()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    throw new InvalidRuleException(
        field, "must be one of " + Arrays.toString(type.getEnumConstants()));
  }
}
