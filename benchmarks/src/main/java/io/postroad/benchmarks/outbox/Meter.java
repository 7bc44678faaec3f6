package io.postroad.benchmarks.outbox;

/** Reads what a contender has cost the database so far; take the difference of two readings. */
interface Meter {

  /** How the log of the database is called, in the names of figures. */
  String logName();

  /** Bytes written to the log of the database, by everybody. */
  long logBytes() throws Exception;

  /** Statements that the relay has sent. */
  long statements();

  /** Buffers or documents that were looked at, in memory or not. */
  long reads() throws Exception;

  /** What {@link #reads} counts, per event. */
  Figure.Unit readUnit();

  /** Transactions that were started, by everybody; asked on MongoDB only. */
  long transactions();
}
