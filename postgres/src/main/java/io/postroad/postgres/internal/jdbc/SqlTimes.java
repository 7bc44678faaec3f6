package io.postroad.postgres.internal.jdbc;

import io.postroad.message.Message;
import io.postroad.spi.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Times as PostgreSQL keeps them: in microseconds. */
public final class SqlTimes {
  /** More than anyone waits, and far from the end of PostgreSQL's calendar. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  private SqlTimes() {}

  public static long micros(Duration span) {
    if (span.isNegative()) {
      throw new IllegalArgumentException("a time span must not be negative, got " + span);
    }
    Duration bounded = span.compareTo(LONGEST) > 0 ? LONGEST : span;
    return bounded.toNanos() / 1_000;
  }

  /** The same for a span that may be negative. */
  public static long signedMicros(Duration span) {
    return span.isNegative() ? -micros(span.negated()) : micros(span);
  }

  /** How long a message waits after this; null when that is until its destination is opened. */
  public static @Nullable Long delay(Settlement settlement) {
    return settlement instanceof Settlement.Blocked ? null : micros(settlement.delay());
  }

  /** Refuses what a column cannot hold, before anything of a call is written. */
  public static void requireStorable(Message message) {
    requireStorable(message.notBefore(), "message", message.id());
  }

  public static void requireStorable(Optional<Instant> notBefore, String kind, UUID id) {
    requireStorable("notBefore", notBefore, kind, id);
  }

  public static void requireStorable(String what, Optional<Instant> time, String kind, UUID id) {
    time.filter(wanted -> wanted.isBefore(EARLIEST) || wanted.isAfter(LATEST))
        .ifPresent(
            wanted -> {
              throw new IllegalArgumentException(
                  "%s of %s %s must be within the years 1 to 9999, got %s"
                      .formatted(what, kind, id, wanted));
            });
  }

  /** Rounded up, so that nothing is delivered a fraction of a microsecond too early. */
  public static @Nullable OffsetDateTime notBefore(Message message) {
    return notBefore(message.notBefore());
  }

  public static @Nullable OffsetDateTime notBefore(Optional<Instant> wanted) {
    return wanted.map(SqlTimes::roundedUp).orElse(null);
  }

  /**
   * A time to compare with: stored ones are before it or not, as they are for the exact one. What
   * PostgreSQL's calendar does not have is its first or last day.
   */
  public static OffsetDateTime bound(Instant exact) {
    if (exact.isBefore(EARLIEST)) {
      return EARLIEST.atOffset(ZoneOffset.UTC);
    }
    return exact.isAfter(LATEST) ? LATEST.atOffset(ZoneOffset.UTC) : roundedUp(exact);
  }

  private static OffsetDateTime roundedUp(Instant exact) {
    Instant floor = exact.truncatedTo(ChronoUnit.MICROS);
    return (floor.equals(exact) ? floor : floor.plus(1, ChronoUnit.MICROS))
        .atOffset(ZoneOffset.UTC);
  }
}
