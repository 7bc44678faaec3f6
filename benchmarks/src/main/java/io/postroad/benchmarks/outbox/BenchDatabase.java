package io.postroad.benchmarks.outbox;

/** A database that was started for one run. */
interface BenchDatabase extends AutoCloseable {

  /** Drops what this entrant had before and makes its contender in an empty place. */
  Stage stage(Entrant entrant, Topic topic) throws Exception;

  /** Writes everything to disk, so that nothing from before a round is written during it. */
  void flush() throws Exception;

  @Override
  void close();
}
