package io.postroad.message;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Creates message ids. They are UUIDs of version 7, which begin with the time in milliseconds and
 * so sort roughly by age. New ids therefore go to the end of an index. No part of Postroad relies
 * on them for order.
 */
public final class MessageIds {
  private static final SecureRandom SEEDS = new SecureRandom();
  private static final ThreadLocal<SplittableRandom> RANDOM =
      ThreadLocal.withInitial(() -> new SplittableRandom(SEEDS.nextLong()));

  private MessageIds() {}

  /** Returns a new id. Any thread may call this method. */
  public static UUID next() {
    return of(System.currentTimeMillis(), RANDOM.get());
  }

  /** Returns the UUID that the text contains, or a UUID derived from a text that is no UUID. */
  public static UUID of(String text) {
    if (text.length() == 36) {
      try {
        return UUID.fromString(text);
      } catch (IllegalArgumentException noUuid) {
        // The text is no UUID: derive one from it.
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
