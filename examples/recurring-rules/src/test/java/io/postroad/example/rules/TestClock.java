package io.postroad.example.rules;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Time as a test sets it. In 2028, because MongoDB removes what was deleted 90 days ago by its own
 * clock.
 */
final class TestClock implements InstantSource {
  static final String START = "2028-01-05T10:30:00Z";

  private volatile Instant now = Instant.parse(START);

  void set(String instant) {
    now = Instant.parse(instant);
  }

  @Override
  public Instant instant() {
    return now;
  }
}
