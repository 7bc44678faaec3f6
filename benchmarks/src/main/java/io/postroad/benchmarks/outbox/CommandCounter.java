package io.postroad.benchmarks.outbox;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;

/**
 * Counts the commands that a MongoDB client sends, on the threads that send them: what the listener
 * costs, everybody pays for each command. Thread-safe.
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
