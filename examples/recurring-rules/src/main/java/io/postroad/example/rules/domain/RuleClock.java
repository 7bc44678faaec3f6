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
 * The time of rules: UTC, in milliseconds, as it is stored. Safe to use from many threads.
 *
 * <p>Stamps are finer and rise strictly, so that two events of one kind in one millisecond are
 * still two. Two nodes could stamp the same microsecond; the outbox then refuses the second event,
 * with all that belongs to it.
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

  /** When an event happened; always as long, so that it sorts as text. */
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
