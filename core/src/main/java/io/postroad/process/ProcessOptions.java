package io.postroad.process;

import io.postroad.internal.loop.Check;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Settings of a process manager. Immutable; {@code docs/reference/defaults.md} lists them with
 * their defaults.
 */
public final class ProcessOptions {
  private final Draft is;

  private ProcessOptions(Draft draft) {
    is = draft;
  }

  public static ProcessOptions defaults() {
    return new ProcessOptions(new Draft());
  }

  /** Sets the name in logs, signals and threads; default {@code processes}. */
  public ProcessOptions withName(String name) {
    return with(draft -> draft.name = name);
  }

  /** Sets how often due timers are polled; default 1 s. Timers are late by up to this time. */
  public ProcessOptions withTimersEvery(Duration timersEvery) {
    return with(draft -> draft.timersEvery = positive(timersEvery, "timersEvery"));
  }

  /** Sets how often idle processes are checked; default 1 min. */
  public ProcessOptions withReconcileEvery(Duration reconcileEvery) {
    return with(draft -> draft.reconcileEvery = positive(reconcileEvery, "reconcileEvery"));
  }

  /** Sets how long a process has not changed before it is checked; default 5 min. */
  public ProcessOptions withQuietFor(Duration quietFor) {
    return with(draft -> draft.quietFor = positive(quietFor, "quietFor"));
  }

  /** Sets how long ended processes and their logs are kept; default 30 days. */
  public ProcessOptions withRetention(Duration retention) {
    return with(draft -> draft.retention = positive(retention, "retention"));
  }

  /** Sets how often and when a failed undo is retried; default 10 times, 1 s to 5 min. */
  public ProcessOptions withUndoRetry(StepRetry undoRetry) {
    return with(draft -> draft.undoRetry = undoRetry);
  }

  /** Sets how a start with a taken business key behaves; default {@link StartPolicy#REFUSE}. */
  public ProcessOptions withStartPolicy(StartPolicy startPolicy) {
    return with(draft -> draft.startPolicy = startPolicy);
  }

  private static Duration positive(Duration value, String what) {
    Check.positive(value, what);
    return value;
  }

  public String name() {
    return is.name;
  }

  public Duration timersEvery() {
    return is.timersEvery;
  }

  public Duration reconcileEvery() {
    return is.reconcileEvery;
  }

  public Duration quietFor() {
    return is.quietFor;
  }

  public Duration retention() {
    return is.retention;
  }

  public StepRetry undoRetry() {
    return is.undoRetry;
  }

  public StartPolicy startPolicy() {
    return is.startPolicy;
  }

  private ProcessOptions with(Consumer<Draft> change) {
    Draft copy = new Draft(is);
    change.accept(copy);
    return new ProcessOptions(copy);
  }

  private static final class Draft {
    private String name = "processes";
    private Duration timersEvery = Duration.ofSeconds(1);
    private Duration reconcileEvery = Duration.ofMinutes(1);
    private Duration quietFor = Duration.ofMinutes(5);
    private Duration retention = Duration.ofDays(30);
    private StepRetry undoRetry = StepRetry.of(10, Duration.ofSeconds(1), Duration.ofMinutes(5));
    private StartPolicy startPolicy = StartPolicy.REFUSE;

    Draft() {}

    Draft(Draft from) {
      name = from.name;
      timersEvery = from.timersEvery;
      reconcileEvery = from.reconcileEvery;
      quietFor = from.quietFor;
      retention = from.retention;
      undoRetry = from.undoRetry;
      startPolicy = from.startPolicy;
    }
  }
}
