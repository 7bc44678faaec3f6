package io.postroad.store;

import io.postroad.message.Message;

/**
 * The unit of order: the messages of one key to one destination. A message without a key has an
 * order key of its own and never waits.
 *
 * @param destination where the messages go
 * @param name {@code key/} and the message's key, or {@code id/} and the message's id
 */
public record OrderKey(String destination, String name) {

  public static OrderKey of(Message message) {
    return message
        .key()
        .map(key -> of(message.destination(), key))
        .orElseGet(() -> new OrderKey(message.destination(), "id/" + message.id()));
  }

  /** Returns the order key of messages with a key. */
  public static OrderKey of(String destination, String key) {
    return new OrderKey(destination, "key/" + key);
  }

  /**
   * Returns the lane of this key. It does not depend on the destination, only on the key and the
   * number of lanes, today and in every later version.
   */
  public int lane(int lanes) {
    int hash = name.hashCode();
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    return Math.floorMod(hash ^ (hash >>> 16), lanes);
  }
}
