package io.postroad.message;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Makes message ids: UUID version 7, which begin with the time in milliseconds and so sort roughly
 * by age. Index pages fill from one end because of it; nothing relies on it for order.
 */
public final class MessageIds {
  private static final SecureRandom SEEDS = new SecureRandom();
  private static final ThreadLocal<SplittableRandom> RANDOM =
      ThreadLocal.withInitial(() -> new SplittableRandom(SEEDS.nextLong()));

  private MessageIds() {}

  /** A new id. Safe to call from any thread. */
  public static UUID next() {
    return of(System.currentTimeMillis(), RANDOM.get());
  }

  /** The id that a text stands for: itself if it is a UUID, otherwise one made from it. */
  public static UUID of(String text) {
    if (text.length() == 36) {
      try {
        return UUID.fromString(text);
      } catch (IllegalArgumentException noUuid) {
        // As any other text.
      }
    }
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  static UUID of(long millis, SplittableRandom random) {
    long high = (millis << 16) | 0x7000L | (random.nextLong() & 0x0FFFL);
    long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }
}
