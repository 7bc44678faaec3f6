package io.postroad.internal.command;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandObserver;
import io.postroad.command.CommandOptions;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandSignal;
import io.postroad.command.CommandSignal.Subject;
import io.postroad.inbox.PermanentFailure;
import io.postroad.internal.loop.ErrorText;
import io.postroad.spi.NewCommand;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells observers and the log of events, with bounded texts. Safe to use from many threads. */
public final class CommandEvents {
  private static final Logger LOG = LoggerFactory.getLogger(CommandBus.class);

  private final String bus;
  private final CommandObserver observer;
  private final int maxErrorLength;
  private final AtomicBoolean inTrouble = new AtomicBoolean();

  public CommandEvents(CommandOptions options, CommandObserver observer) {
    this.bus = options.name();
    this.observer = observer;
    this.maxErrorLength = options.maxErrorLength();
  }

  /** Returns the text of a failure. */
  String text(Throwable failure) {
    return FailureText.of(failure, maxErrorLength);
  }

  /** Calls the store; logs a failure before it passes it on. */
  <R> R ask(String verb, Supplier<R> question) {
    try {
      R answer = question.get();
      if (inTrouble.getAndSet(false)) {
        LOG.info("{}: the database works again", bus);
      }
      return answer;
    } catch (RuntimeException | Error failed) {
      storeFailed(verb, failed);
      throw failed;
    }
  }

  /** Logs the first failure only, until the store works again. */
  void storeFailed(String verb, Throwable failed) {
    String error = ErrorText.bounded(ErrorText.of(failed), maxErrorLength);
    if (!inTrouble.getAndSet(true)) {
      LOG.warn("{}: the database fails, trying again; verb={} error={}", bus, verb, error);
    }
    LOG.debug("{}: {} failed", bus, verb, failed);
    signal(new CommandSignal.StoreFailed(bus, verb, error));
  }

  void accepted(NewCommand command) {
    signal(new CommandSignal.Accepted(Subject.of(command)));
  }

  void repeated(NewCommand command, boolean sameCommand) {
    signal(new CommandSignal.Repeated(Subject.of(command), sameCommand));
  }

  void claimed(NewCommand command, int attempt) {
    signal(new CommandSignal.Claimed(Subject.of(command), attempt));
  }

  void ended(NewCommand command, int attempt, CommandReply reply, Duration took) {
    Subject subject = Subject.of(command);
    if (reply instanceof CommandReply.Completed) {
      signal(new CommandSignal.Completed(subject, attempt, took));
    } else if (reply instanceof CommandReply.Failed failed) {
      LOG.info(
          "{}: failed; command={} code={} error={}", bus, subject, failed.code(), failed.error());
      signal(new CommandSignal.Failed(subject, attempt, failed.code(), failed.error()));
    } else {
      timedOut(command);
    }
  }

  void timedOut(NewCommand command) {
    LOG.info("{}: timed out; command={}", bus, Subject.of(command));
    signal(new CommandSignal.TimedOut(Subject.of(command)));
  }

  void retrying(NewCommand command, int attempt, Duration delay, String error) {
    Subject subject = Subject.of(command);
    LOG.info(
        "{}: failed for now; command={} attempt={} again-in={} error={}",
        bus,
        subject,
        attempt,
        delay,
        error);
    signal(new CommandSignal.Retrying(subject, attempt, delay, error));
  }

  void handedOver(NewCommand command, Duration pause, String why) {
    Subject subject = Subject.of(command);
    LOG.warn("{}: left to another node; command={} again-in={} error={}", bus, subject, pause, why);
    signal(new CommandSignal.HandedOver(subject, pause, why));
  }

  void untold(CommandCompleter.Untold failed) {
    LOG.error("{}: {}; error={}", bus, failed.getMessage(), text(ErrorText.causes(failed).get(1)));
  }

  void undeliveredUntold(UUID deadLetter, Throwable failed) {
    LOG.error(
        "{}: could not end a command whose message is a dead letter, trying again;"
            + " dead-letter={} error={}",
        bus,
        deadLetter,
        text(failed));
  }

  /** Cuts a text to the length that is kept. */
  String bounded(String text) {
    return ErrorText.bounded(text, maxErrorLength);
  }

  void handledLate(NewCommand command) {
    LOG.info("{}: handled after its deadline; command={}", bus, Subject.of(command));
    signal(new CommandSignal.HandledLate(Subject.of(command)));
  }

  void replyIgnored(UUID commandId) {
    LOG.debug("{}: a reply came for a command that has ended: {}", bus, commandId);
    signal(new CommandSignal.ReplyIgnored(commandId));
  }

  /** Reports a reply that this service cannot take; its exception makes a dead letter of it. */
  PermanentFailure misdelivered(UUID commandId, String why) {
    LOG.warn("{}: a reply becomes a dead letter; command={} reason={}", bus, commandId, why);
    signal(new CommandSignal.ReplyMisdelivered(commandId, why));
    return new PermanentFailure(
        "cannot take the reply to command %s: %s".formatted(commandId, why));
  }

  public void cancelled(NewCommand command) {
    signal(new CommandSignal.Cancelled(Subject.of(command)));
  }

  void lost(NewCommand command) {
    LOG.info("{}: another worker has it, or it has ended; command={}", bus, Subject.of(command));
    signal(new CommandSignal.Lost(Subject.of(command)));
  }

  void stuck(NewCommand command, Duration after, Thread thread) {
    Subject subject = Subject.of(command);
    LOG.error(
        "{}: a handler, or what follows it, was interrupted and does not return, its connection was"
            + " closed and its thread is left to itself; command={} after={} thread={}",
        bus,
        subject,
        after,
        thread.getName());
    signal(new CommandSignal.Stuck(subject, after));
  }

  void released(NewCommand command) {
    signal(new CommandSignal.Released(Subject.of(command)));
  }

  void forgotten(int commands) {
    signal(new CommandSignal.Forgotten(bus, commands));
  }

  private void signal(CommandSignal signal) {
    try {
      observer.on(signal);
    } catch (RuntimeException | Error failed) {
      LOG.warn(
          "observer failed, the bus goes on; observer={} signal={}",
          observer.getClass().getName(),
          signal.getClass().getSimpleName(),
          failed);
    }
  }
}
