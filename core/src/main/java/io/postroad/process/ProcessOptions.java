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

  /** Name in logs, signals and threads; default {@code processes}. */
  public ProcessOptions withName(String name) {
    return with(draft -> draft.name = name);
  }

  /** How often timers are looked for; default 1 s. They are never early, and late by about this. */
  public ProcessOptions withTimersEvery(Duration timersEvery) {
    return with(draft -> draft.timersEvery = positive(timersEvery, "timersEvery"));
  }

  /** How often processes are looked for that do not move; default 1 min. */
  public ProcessOptions withReconcileEvery(Duration reconcileEvery) {
    return with(draft -> draft.reconcileEvery = positive(reconcileEvery, "reconcileEvery"));
  }

  /** After how long without a change a process is looked at; default 5 min. */
  public ProcessOptions withQuietFor(Duration quietFor) {
    return with(draft -> draft.quietFor = positive(quietFor, "quietFor"));
  }

  /** How long processes that have ended are kept, and their logs; default 30 days. */
  public ProcessOptions withRetention(Duration retention) {
    return with(draft -> draft.retention = positive(retention, "retention"));
  }

  /** How often and when an undo that failed is tried again; default 10 times, 1 s to 5 min. */
  public ProcessOptions withUndoRetry(StepRetry undoRetry) {
    return with(draft -> draft.undoRetry = undoRetry);
  }

  /** What a second start with an active business key does; default {@link StartPolicy#REFUSE}. */
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
