package io.postroad.example.rules.domain;

import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The time of rules: UTC in milliseconds, as stored. Thread-safe.
 *
 * <p>Timestamps of events are finer and strictly ascending, so that two events of one kind in one
 * millisecond differ. Two nodes could create the same timestamp; the outbox then refuses the second
 * event with its transaction.
 */
public final class RuleClock {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSX").withZone(ZoneOffset.UTC);

  private final InstantSource source;
  private final AtomicReference<Instant> last = new AtomicReference<>(Instant.EPOCH);

  public RuleClock(InstantSource source) {
    this.source = source;
  }

  public ZonedDateTime now() {
    return source.instant().truncatedTo(ChronoUnit.MILLIS).atZone(ZoneOffset.UTC);
  }

  public LocalDate today() {
    return now().toLocalDate();
  }

  /** Returns the timestamp of an event, with a fixed length, so that it sorts as text. */
  String stamp() {
    Instant stamp =
        last.updateAndGet(
            before -> {
              Instant now = source.instant().truncatedTo(ChronoUnit.MICROS);
              return now.isAfter(before) ? now : before.plus(1, ChronoUnit.MICROS);
            });
    return STAMP.format(stamp);
  }
}
