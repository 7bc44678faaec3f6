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
 * Dates and times in UTC, whatever the zone of this JVM: Spring Data knows no {@code
 * ZonedDateTime}, and stores a {@code LocalDate} as midnight where the JVM is. Amounts as
 * Decimal128, which the validator wants.
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
