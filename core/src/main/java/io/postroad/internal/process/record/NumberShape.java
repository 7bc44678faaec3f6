package io.postroad.internal.process.record;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A number of JSON. It is read exactly, from any number class of the JSON library, or refused. */
record NumberShape(String what, Function<BigDecimal, Object> exact) implements Shape {
  static final Shape OF_INT = new NumberShape("an int", BigDecimal::intValueExact);
  static final Shape OF_LONG = new NumberShape("a long", BigDecimal::longValueExact);
  static final Shape OF_DOUBLE = new NumberShape("a double", BigDecimal::doubleValue);

  @Override
  public Object write(@Nullable Object value, ValuePath at) {
    if (!(value instanceof Number) || isNoNumber(value)) {
      throw at.expected(what, value);
    }
    return value;
  }

  @Override
  public Object read(@Nullable Object written, ValuePath at) {
    if (!(written instanceof Number number) || isNoNumber(written)) {
      throw at.expected(what, written);
    }
    try {
      return exact.apply(decimal(number));
    } catch (ArithmeticException wrong) {
      throw at.wrong("must be %s, got a number that does not fit".formatted(what), null);
    }
  }

  private static boolean isNoNumber(Object value) {
    return value instanceof Double number && !Double.isFinite(number);
  }

  private static BigDecimal decimal(Number number) {
    if (number instanceof BigDecimal decimal) {
      return decimal;
    }
    if (number instanceof BigInteger integer) {
      return new BigDecimal(integer);
    }
    return number instanceof Double || number instanceof Float
        ? BigDecimal.valueOf(number.doubleValue())
        : BigDecimal.valueOf(number.longValue());
  }
}
