package io.postroad.internal.command;

import io.postroad.command.FailureCode;
import io.postroad.internal.loop.ErrorText;
import io.postroad.message.Message;
import io.postroad.message.MessageCategory;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.process.ProcessBusyException;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Ends commands whose message is a dead letter of the outbox: they have failed with {@link
 * FailureCode#UNDELIVERED}.
 *
 * <p>Reads the dead letters themselves, from the longest dead on. A dead letter stays until an
 * operator decides about it, so a crash loses nothing. Every node reads them, and one node ends the
 * command, since a command ends once. {@link #lookBack} has the latest ones read again: a dead
 * letter may be committed after a younger one.
 *
 * <p>Waits for no other transaction: a command that one is changing, or whose process one has, is
 * tried again at each poll until it has ended.
 *
 * <p>Used by one thread.
 */
final class UndeliveredCommands<T> {
  private static final int STEP = 100;
  private static final Duration OVERLAP = Duration.ofMinutes(10);

  private final CommandParts<T> parts;
  private final DeadLetterStore letters;
  private Optional<DeadLetter.Mark> after = Optional.empty();

  /** Dead letters whose command another transaction has; further ones count as untold. */
  private final Set<UUID> busy = new LinkedHashSet<>();

  /** The oldest dead letter whose command could not be ended. */
  private DeadLetter.@Nullable Mark untold;

  UndeliveredCommands(CommandParts<T> parts, DeadLetterStore letters) {
    this.parts = parts;
    this.letters = letters;
  }

  /** Ends the commands of the next dead letters; true when there may be more. */
  boolean next() {
    for (UUID id : List.copyOf(busy)) {
      // A dead letter that was replayed is gone: its command may be delivered now.
      parts
          .events()
          .ask("dead letters", () -> letters.find(id))
          .ifPresentOrElse(this::end, () -> busy.remove(id));
    }
    List<DeadLetter> found =
        parts.events().ask("dead letters", () -> letters.list(DeadLetterFilter.all(), after, STEP));
    for (DeadLetter letter : found) {
      end(letter);
      after = Optional.of(letter.mark());
    }
    return found.size() == STEP;
  }

  /** Goes back by ten minutes, or to the first dead letter whose command could not be ended. */
  void lookBack() {
    Optional<Instant> from = after.map(mark -> mark.diedAt().minus(OVERLAP));
    DeadLetter.Mark first = untold;
    if (first != null && from.filter(first.diedAt()::isBefore).isPresent()) {
      from = Optional.of(first.diedAt().minusMillis(1));
    }
    untold = null;
    after = from.map(time -> new DeadLetter.Mark(time, new UUID(0, 0)));
  }

  private void end(DeadLetter letter) {
    Message message = letter.message();
    if (message.category() != MessageCategory.COMMAND) {
      return;
    }
    try {
      CommandWire.commandId(message).ifPresent(id -> end(id, letter));
    } catch (RuntimeException | Error failed) {
      if (ErrorText.causes(failed).stream().anyMatch(parts.store()::isTransient)) {
        throw failed;
      }
      // A command whose end a listener refuses must not hold up the others.
      busy.remove(letter.id());
      later(letter);
      parts.events().undeliveredUntold(message.id(), failed);
    }
  }

  private void later(DeadLetter letter) {
    if (untold == null) {
      untold = letter.mark();
    }
  }

  private void triedAgain(DeadLetter letter) {
    if (busy.size() < STEP || busy.contains(letter.id())) {
      busy.add(letter.id());
    } else {
      later(letter);
    }
  }

  private void end(UUID commandId, DeadLetter letter) {
    CommandOutcome outcome =
        CommandOutcome.failed(FailureCode.UNDELIVERED.name(), parts.events().bounded(text(letter)));
    if (isOpen(commandId) && !tryToEnd(commandId, outcome)) {
      triedAgain(letter);
    } else {
      busy.remove(letter.id());
    }
  }

  /** Ends the command; false when another transaction has it or its process. */
  private boolean tryToEnd(UUID commandId, CommandOutcome outcome) {
    try {
      Optional<CommandCompleter.Ended> ended =
          parts
              .transactions()
              .call(unit -> parts.completer().undelivered(unit, commandId, outcome));
      ended.ifPresent(
          end -> {
            parts.futures().complete(end.reply());
            parts.events().ended(end.command(), 0, end.reply(), Duration.ZERO);
          });
      return ended.isPresent();
    } catch (ProcessBusyException held) {
      return false;
    }
  }

  /** Tells whether a command was sent and has not ended; most dead letters are read twice. */
  private boolean isOpen(UUID commandId) {
    return parts
        .store()
        .find(commandId)
        .filter(known -> known.command().destination().isPresent() && known.outcome().isEmpty())
        .isPresent();
  }

  private static String text(DeadLetter letter) {
    return "Undelivered: the message to '%s' is dead letter %s after %d attempts: %s"
        .formatted(letter.message().destination(), letter.id(), letter.attempts(), letter.error());
  }
}
