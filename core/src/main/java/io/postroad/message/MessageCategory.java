package io.postroad.message;

import java.util.List;

/** Tells events, commands and replies apart. */
public enum MessageCategory {
  COMMAND("command"),
  REPLY("reply"),
  EVENT("event");

  private static final List<MessageCategory> ALL = List.of(values());

  private final String wireName;

  MessageCategory(String wireName) {
    this.wireName = wireName;
  }

  /** Returns the lower-case name that is stored and sent, for example {@code event}. */
  public String wireName() {
    return wireName;
  }

  /** Returns the category with this {@link #wireName()}. */
  public static MessageCategory ofWireName(String name) {
    for (MessageCategory category : ALL) {
      if (category.wireName().equals(name)) {
        return category;
      }
    }
    throw new IllegalArgumentException(
        "unknown message category '" + name + "', expected command, reply or event");
  }
}
