package io.postroad.command;

import io.postroad.engine.BackgroundLoop;
import io.postroad.store.CommandOutcome;
import io.postroad.store.StoredCommand;
import java.time.Duration;
import java.util.List;

/**
 * Ends commands whose deadline is over, and forgets those that are past their retention, both in
 * bounded steps. Any number of nodes may do it at once.
 */
final class CommandKeeper<T> implements BackgroundLoop.Pass {
  private static final int STEP = 100;
  private static final int PURGE_STEP = 1_000;

  private final CommandParts<T> parts;
  private boolean purged;
  private long purgedAt;

  CommandKeeper(CommandParts<T> parts) {
    this.parts = parts;
  }

  @Override
  public Duration runOnce() {
    // First what cannot fail because of a single command.
    boolean more = isTimeToPurge() && purge() == PURGE_STEP;
    more |= expire() == STEP;
    return more ? Duration.ZERO : parts.options().sweepEvery();
  }

  int expire() {
    CommandOutcome outcome = CommandOutcome.timedOut(CommandParts.TIMED_OUT_TEXT);
    List<StoredCommand> expired =
        parts
            .news()
            .ask(
                "expire",
                () ->
                    parts
                        .transactions()
                        .<List<StoredCommand>, RuntimeException>call(
                            transaction -> parts.ending().expire(transaction, outcome, STEP)));
    for (StoredCommand command : expired) {
      parts.news().timedOut(command.command());
      parts
          .futures()
          .complete(
              CommandReply.timedOut(
                  command.id(), command.command().correlationId(), CommandParts.TIMED_OUT_TEXT));
    }
    return expired.size();
  }

  private boolean isTimeToPurge() {
    return !purged || parts.ticker().since(purgedAt).compareTo(parts.options().purgeEvery()) >= 0;
  }

  int purge() {
    int forgotten =
        parts
            .news()
            .ask("purge", () -> parts.store().purge(parts.options().retention(), PURGE_STEP));
    if (forgotten > 0) {
      parts.news().forgotten(forgotten);
    }
    purged = forgotten < PURGE_STEP;
    purgedAt = parts.ticker().nanos();
    return forgotten;
  }
}
