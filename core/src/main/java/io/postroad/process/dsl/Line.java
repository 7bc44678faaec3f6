package io.postroad.process.dsl;

import io.postroad.command.DomainCommand;
import io.postroad.process.ProcessGraph;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A line of steps under construction. Each call adds to its end. Used by one thread; the resulting
 * {@link ProcessGraph} is immutable.
 *
 * <p>Names are 1 to 120 letters, digits, '.', '_' and '-' of ASCII, a letter first, since keys are
 * made of them. Running processes know their nodes by name: one that stays the same over releases
 * keeps its name, and positional names ({@code if-1}) change when something is put before them.
 *
 * @param <S> the calls that are possible after a step
 * @param <L> the calls that are possible after anything else
 */
public interface Line<S, L> {

  /** Adds a step; {@code BookFxCommand} makes a step {@code BookFx}. */
  S then(Class<? extends DomainCommand> command);

  /** Adds a step under its own name, for a command that occurs twice. */
  S then(String name, Class<? extends DomainCommand> command);

  /**
   * Adds a condition on the data, answered once. The positional name is {@code if-1}, {@code if-2}
   * and so on; give it a name if it stays the same over releases.
   *
   * @param predicate depends on the data alone; one that throws fails the process for good
   */
  Condition thenIf(Predicate<Map<String, Object>> predicate);

  /** Adds a condition under a name that stays the same over releases. */
  Condition thenIf(String name, Predicate<Map<String, Object>> predicate);

  /** Begins branches that run at the same time. */
  Parallel<S, L> thenParallel();

  /** Continues after a time. */
  L thenWait(Duration duration);

  /** Continues after a time. */
  L thenWait(String name, Duration duration);

  /** Waits for a signal without a limit. The name is {@code await-} and the signal. */
  L thenAwait(String signal);

  /** Waits for a signal; without it in time the process fails. */
  L thenAwait(String signal, Duration timeout);

  /** Waits for a signal under its own name, for a signal that is awaited twice. */
  L thenAwait(String name, String signal);

  /** Waits for a signal with a timeout under its own name. */
  L thenAwait(String name, String signal, Duration timeout);
}
