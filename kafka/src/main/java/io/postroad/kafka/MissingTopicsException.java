package io.postroad.kafka;

import io.postroad.message.PostroadException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Thrown when topics do not exist, or when this client may not see them. */
public final class MissingTopicsException extends PostroadException {
  private static final long serialVersionUID = 1L;

  private final List<String> missing;

  MissingTopicsException(Set<String> missing) {
    super(
        ("topics do not exist, or this client has no permission to see them: %s; create them, for"
                + " example with KafkaTopics.create or kafka-topics.sh --create --topic NAME, or grant"
                + " DESCRIBE, then start again")
            .formatted(new TreeSet<>(missing)));
    this.missing = List.copyOf(new TreeSet<>(missing));
  }

  /** Returns the names of the topics, sorted. */
  public List<String> missing() {
    return missing;
  }
}
