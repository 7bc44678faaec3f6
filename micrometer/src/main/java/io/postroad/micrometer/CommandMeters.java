package io.postroad.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.postroad.command.CommandObserver;
import io.postroad.command.CommandSignal;
import io.postroad.command.CommandSignal.Subject;
import java.util.Set;

/**
 * The meters of commands. Pass it to {@code CommandBus.builder(..).observer(..)}.
 *
 * <p>Safe to use from many threads. A crash loses the values of its counters.
 */
public final class CommandMeters implements CommandObserver {
  private static final String NO_CODE = "";

  private final MeterBook book;
  private final Listening<CommandSignal> listening = new Listening<>();

  private CommandMeters(MeterBook book) {
    this.book = book;
    book.introduce("command");
    listenToEnds();
    listenToTheRest();
  }

  public static CommandMeters of(MeterRegistry registry) {
    return new CommandMeters(new MeterBook(registry));
  }

  @Override
  public void on(CommandSignal signal) {
    listening.tell(signal);
  }

  Set<Class<?>> kinds() {
    return listening.kinds();
  }

  private void listenToEnds() {
    listening
        .on(
            CommandSignal.Completed.class,
            signal -> {
              ended(signal.command(), "completed", NO_CODE);
              book.time(PostroadMeter.COMMAND_DURATION, signal.took(), signal.command().type());
            })
        .on(
            CommandSignal.Failed.class,
            signal -> ended(signal.command(), "failed", signal.code().name()))
        .on(CommandSignal.TimedOut.class, signal -> ended(signal.command(), "timed-out", NO_CODE))
        .on(CommandSignal.Cancelled.class, signal -> ended(signal.command(), "cancelled", NO_CODE))
        .on(
            CommandSignal.HandledLate.class,
            signal -> count(PostroadMeter.COMMAND_LATE, signal.command()));
  }

  private void listenToTheRest() {
    listening
        .on(
            CommandSignal.Accepted.class,
            signal -> count(PostroadMeter.COMMAND_ACCEPTED, signal.command()))
        .on(
            CommandSignal.Repeated.class,
            signal ->
                book.count(
                    PostroadMeter.COMMAND_REPEATED,
                    signal.command().type(),
                    signal.sameCommand() ? "same" : "different"))
        .on(
            CommandSignal.Claimed.class,
            signal -> count(PostroadMeter.COMMAND_CLAIMED, signal.command()))
        .on(
            CommandSignal.Retrying.class,
            signal -> count(PostroadMeter.COMMAND_RETRIES, signal.command()))
        .on(CommandSignal.HandedOver.class, signal -> trouble(signal.command(), "handed-over"))
        .on(CommandSignal.Lost.class, signal -> trouble(signal.command(), "lost"))
        .on(CommandSignal.Stuck.class, signal -> trouble(signal.command(), "stuck"))
        .on(CommandSignal.Released.class, signal -> trouble(signal.command(), "released"))
        .on(
            CommandSignal.ReplyIgnored.class,
            signal -> book.count(PostroadMeter.COMMAND_REPLIES_IGNORED))
        .on(
            CommandSignal.ReplyMisdelivered.class,
            signal -> book.count(PostroadMeter.COMMAND_REPLIES_MISDELIVERED))
        .on(
            CommandSignal.StoreFailed.class,
            signal -> book.count(PostroadMeter.COMMAND_STORE_FAILURES, signal.verb()))
        .on(
            CommandSignal.Forgotten.class,
            signal -> book.add(PostroadMeter.COMMAND_FORGOTTEN, signal.commands()));
  }

  private void ended(Subject command, String outcome, String code) {
    book.count(PostroadMeter.COMMAND_ENDED, command.type(), outcome, code);
  }

  private void trouble(Subject command, String outcome) {
    book.count(PostroadMeter.COMMAND_TROUBLE, command.type(), outcome);
  }

  private void count(PostroadMeter meter, Subject command) {
    book.count(meter, command.type());
  }
}
