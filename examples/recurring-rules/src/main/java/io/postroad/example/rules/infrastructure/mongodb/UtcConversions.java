package io.postroad.example.rules.infrastructure.mongodb;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import org.springframework.core.convert.converter.Converter;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.convert.WritingConverter;
import org.springframework.data.mongodb.core.convert.MongoCustomConversions;
import org.springframework.data.mongodb.core.convert.MongoCustomConversions.BigDecimalRepresentation;

/**
 * Converts dates and times in UTC, in any zone of the JVM: Spring Data does not support {@code
 * ZonedDateTime}, and stores a {@code LocalDate} as midnight in the zone of the JVM. Converts
 * amounts to Decimal128, as the validator requires.
 */
final class UtcConversions {
  private UtcConversions() {}

  static MongoCustomConversions create() {
    return MongoCustomConversions.create(
        adapter ->
            adapter
                .bigDecimal(BigDecimalRepresentation.DECIMAL128)
                .registerConverters(
                    List.of(
                        WriteDate.INSTANCE,
                        ReadDate.INSTANCE,
                        WriteTime.INSTANCE,
                        ReadTime.INSTANCE)));
  }

  @WritingConverter
  enum WriteDate implements Converter<LocalDate, Date> {
    INSTANCE;

    @Override
    public Date convert(LocalDate date) {
      return Date.from(date.atStartOfDay(ZoneOffset.UTC).toInstant());
    }
  }

  @ReadingConverter
  enum ReadDate implements Converter<Date, LocalDate> {
    INSTANCE;

    @Override
    public LocalDate convert(Date date) {
      return date.toInstant().atZone(ZoneOffset.UTC).toLocalDate();
    }
  }

  @WritingConverter
  enum WriteTime implements Converter<ZonedDateTime, Date> {
    INSTANCE;

    @Override
    public Date convert(ZonedDateTime time) {
      return Date.from(time.toInstant());
    }
  }

  @ReadingConverter
  enum ReadTime implements Converter<Date, ZonedDateTime> {
    INSTANCE;

    @Override
    public ZonedDateTime convert(Date date) {
      return date.toInstant().atZone(ZoneOffset.UTC);
    }
  }
}
