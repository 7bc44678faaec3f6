package io.postroad.example.rules.application;

/**
 * What a run did.
 *
 * @param resumed rules whose pause was over
 * @param executed dates for which money was moved
 * @param failed dates for which it was not
 * @param completed rules that have no dates left
 * @param skipped rules that were left for the next run because of an error
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
