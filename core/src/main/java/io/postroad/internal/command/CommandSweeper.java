package io.postroad.internal.command;

import io.postroad.command.CommandReply;
import io.postroad.internal.command.CommandCompleter.Untold;
import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.StoredCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Ends commands whose deadline has passed or whose message cannot be delivered, and deletes those
 * past their retention, in bounded steps. Any number of nodes may sweep at once.
 */
public final class CommandSweeper<T> implements BackgroundLoop.Pass {
  private static final int STEP = 100;
  private static final int PURGE_STEP = 1_000;

  private final CommandParts<T> parts;

  /** Commands whose end a listener refuses; tried again after the next purge. */
  private final Set<UUID> untold = new HashSet<>();

  private final Optional<UndeliveredCommands<T>> undelivered;
  private boolean purged;
  private long purgedAt;

  public CommandSweeper(CommandParts<T> parts) {
    this.parts = parts;
    this.undelivered =
        parts.completer().deadLetters().map(letters -> new UndeliveredCommands<>(parts, letters));
  }

  @Override
  public Duration runOnce() {
    // The purge first: it cannot fail because of a single command.
    boolean more = isTimeToPurge() && purge() == PURGE_STEP;
    more |= expire() == STEP;
    more |= findUndelivered();
    return more ? Duration.ZERO : parts.options().sweepEvery();
  }

  /** Ends commands whose message is a dead letter; true when there may be more of them. */
  public boolean findUndelivered() {
    return undelivered.map(UndeliveredCommands::next).orElse(false);
  }

  /** Ends overdue commands; one whose listener fails must not hold up the others. */
  public int expire() {
    List<StoredCommand> expired = expireAll();
    for (StoredCommand command : expired) {
      parts.events().timedOut(command.command());
      parts
          .futures()
          .complete(
              CommandReply.timedOut(
                  command.id(), command.command().correlationId(), CommandParts.TIMED_OUT_TEXT));
    }
    return expired.size();
  }

  private List<StoredCommand> expireAll() {
    Set<UUID> busy = new HashSet<>();
    List<StoredCommand> all = new ArrayList<>();
    while (all.size() < STEP) {
      // In one transaction, until a command is busy: then one by one, because of the rollback.
      int limit = busy.isEmpty() ? STEP : 1;
      Optional<List<StoredCommand>> expired =
          parts.events().ask("expire", () -> tryToExpire(limit, busy));
      expired.ifPresent(all::addAll);
      if (expired.filter(some -> some.size() < limit || limit == STEP).isPresent()) {
        break;
      }
    }
    return all;
  }

  /** Ends some commands; empty when one of them has to be left out. */
  private Optional<List<StoredCommand>> tryToExpire(int limit, Set<UUID> busy) {
    CommandOutcome outcome = CommandOutcome.timedOut(CommandParts.TIMED_OUT_TEXT);
    Set<UUID> except = new HashSet<>(untold);
    except.addAll(busy);
    try {
      return Optional.of(
          parts
              .transactions()
              .<List<StoredCommand>, RuntimeException>call(
                  transaction -> parts.completer().expire(transaction, outcome, limit, except)));
    } catch (Untold failed) {
      if (failed.isBusy()) {
        busy.add(failed.commandId());
        return Optional.empty();
      }
      if (untold.size() == STEP || !untold.add(failed.commandId())) {
        throw failed;
      }
      parts.events().untold(failed);
      return Optional.empty();
    }
  }

  private boolean isTimeToPurge() {
    return !purged
        || parts.threads().ticker().since(purgedAt).compareTo(parts.options().purgeEvery()) >= 0;
  }

  public int purge() {
    untold.clear();
    undelivered.ifPresent(UndeliveredCommands::lookBack);
    int forgotten =
        parts
            .events()
            .ask("purge", () -> parts.store().purge(parts.options().retention(), PURGE_STEP));
    if (forgotten > 0) {
      parts.events().forgotten(forgotten);
    }
    purged = forgotten < PURGE_STEP;
    purgedAt = parts.threads().ticker().nanos();
    return forgotten;
  }
}
