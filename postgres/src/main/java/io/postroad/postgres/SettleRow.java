package io.postroad.postgres;

import io.postroad.store.Settlement;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A settlement as the settle statement wants it.
 *
 * @param delayMicros when PENDING, how long until it may be claimed
 * @param uncounted 1 to take the attempt of this claim back
 * @param error new last error; null keeps the old one
 */
record SettleRow(
    Settler.Held held, String status, long delayMicros, int uncounted, @Nullable String error) {

  static SettleRow of(Settlement settlement) {
    Settler.Held held = Settler.Held.of(settlement.claim());
    if (settlement instanceof Settlement.Delivered) {
      return new SettleRow(held, "DISPATCHED", 0, 0, null);
    }
    if (settlement instanceof Settlement.Retry retry) {
      return new SettleRow(
          held, "PENDING", SqlTimes.micros(retry.delay()), 0, storable(retry.error()));
    }
    if (settlement instanceof Settlement.Release release) {
      return new SettleRow(
          held, "PENDING", SqlTimes.micros(release.delay()), 1, storable(release.reason()));
    }
    Settlement.Dead dead = (Settlement.Dead) settlement;
    return new SettleRow(held, "FAILED", 0, 0, storable(dead.error()));
  }

  /** Without what PostgreSQL refuses in a text: one odd error must not fail its whole batch. */
  private static String storable(String error) {
    byte[] valid = error.replace('\0', ' ').getBytes(StandardCharsets.UTF_8);
    return new String(valid, StandardCharsets.UTF_8);
  }
}
