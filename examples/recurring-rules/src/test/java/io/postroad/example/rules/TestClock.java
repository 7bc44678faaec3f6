package io.postroad.example.rules;

import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that tests set. It starts in 2028, because MongoDB removes rules by its own clock 90 days
 * after their deletion.
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
