package io.postroad.benchmarks.outbox;

/** A database of one run. */
interface BenchDatabase extends AutoCloseable {

  /** Drops the earlier tables of this entrant and creates its contender in an empty place. */
  Stage stage(Entrant entrant, Topic topic) throws Exception;

  /** Writes everything to disk, so that earlier data is not written during a round. */
  void flush() throws Exception;

  @Override
  void close();
}
