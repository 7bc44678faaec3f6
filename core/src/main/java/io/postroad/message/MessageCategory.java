package io.postroad.message;

import java.util.Locale;

/** What a message is for its receiver. */
public enum MessageCategory {
  COMMAND,
  REPLY,
  EVENT;

  /** The lower-case name that is stored and sent, for example {@code event}. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The category with this {@link #wireName()}. */
  public static MessageCategory ofWireName(String name) {
    for (MessageCategory category : values()) {
      if (category.wireName().equals(name)) {
        return category;
      }
    }
    throw new IllegalArgumentException(
        "unknown message category '" + name + "', expected command, reply or event");
  }
}
