package io.postroad.benchmarks.outbox;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;

/**
 * Counts the commands of a MongoDB client on the sending threads, so that every contender pays for
 * the counting. Thread-safe.
 */
final class CommandCounter implements CommandListener {
  private final StatementCount count;

  CommandCounter(StatementCount count) {
    this.count = count;
  }

  @Override
  public void commandStarted(CommandStartedEvent event) {
    count.add(1);
  }
}
