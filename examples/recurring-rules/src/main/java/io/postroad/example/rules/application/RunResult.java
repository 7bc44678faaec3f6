package io.postroad.example.rules.application;

/**
 * The result of a run.
 *
 * @param resumed the number of resumed rules
 * @param executed the number of executed dates
 * @param failed the number of failed dates
 * @param completed the number of completed rules
 * @param skipped the number of rules that were left for the next run because of an error
 */
public record RunResult(int resumed, int executed, int failed, int completed, int skipped) {
  static final RunResult NOTHING = new RunResult(0, 0, 0, 0, 0);
  static final RunResult ONE_RESUMED = new RunResult(1, 0, 0, 0, 0);
  static final RunResult ONE_EXECUTED = new RunResult(0, 1, 0, 0, 0);
  static final RunResult ONE_FAILED = new RunResult(0, 0, 1, 0, 0);
  static final RunResult ONE_COMPLETED = new RunResult(0, 0, 0, 1, 0);
  static final RunResult ONE_SKIPPED = new RunResult(0, 0, 0, 0, 1);

  RunResult plus(RunResult other) {
    return new RunResult(
        resumed + other.resumed,
        executed + other.executed,
        failed + other.failed,
        completed + other.completed,
        skipped + other.skipped);
  }
}
