package io.postroad.process.dsl;

import io.postroad.command.DomainCommand;
import io.postroad.process.ProcessGraph;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A line of steps that is being written, and what may come next in it. Each call goes on where the
 * last one stopped. Used by one thread; the {@link ProcessGraph} at its end is immutable.
 *
 * <p>Names are 1 to 120 letters, digits, '.', '_' and '-' of ASCII, a letter first, since keys are
 * made of them. Running processes know their nodes by name: one that stays the same over releases
 * keeps its name, and positional names ({@code if-1}) change when something is put before them.
 *
 * @param <S> what can be said behind a step
 * @param <L> what can be said behind anything else
 */
public interface Line<S, L> {

  /** Then this command, by the name of its type: {@code BookFx} for {@code BookFxCommand}. */
  S then(Class<? extends DomainCommand> command);

  /** Then this command, by a name of its own: for a command that occurs twice. */
  S then(String name, Class<? extends DomainCommand> command);

  /**
   * Asks the data, once, and goes on accordingly. The positional name is {@code if-1}, {@code if-2}
   * and so on; a condition that is to be known again in the next release is better named.
   *
   * @param predicate depends on the data alone; one that throws fails the process for good
   */
  Condition thenIf(Predicate<Map<String, Object>> predicate);

  /** Asks the data, once, by a name that stays the same over releases. */
  Condition thenIf(String name, Predicate<Map<String, Object>> predicate);

  /** Begins branches that run at the same time. */
  Parallel<S, L> thenParallel();

  /** Goes on after a time. */
  L thenWait(Duration duration);

  /** Goes on after a time. */
  L thenWait(String name, Duration duration);

  /** Goes on when this signal was sent, however late. Its name is {@code await-} and the signal. */
  L thenAwait(String signal);

  /** Goes on when this signal was sent; if it was not by then, the process fails. */
  L thenAwait(String signal, Duration timeout);

  /** Goes on when this signal was sent: for a signal that is awaited twice. */
  L thenAwait(String name, String signal);

  /** Goes on when this signal was sent in time: for a signal that is awaited twice. */
  L thenAwait(String name, String signal, Duration timeout);
}
