package io.postroad.benchmarks.outbox;

/** Reads the costs of a contender in the database so far; use the difference of two readings. */
interface Meter {

  /** Returns the name of the database log in figures. */
  String logName();

  /** Returns the bytes written to the database log, by all clients. */
  long logBytes() throws Exception;

  /** Returns the number of statements of the relay. */
  long statements();

  /** Returns the number of read buffers or documents, in memory or not. */
  long reads() throws Exception;

  /** Returns the unit of {@link #reads} per event. */
  Figure.Unit readUnit();

  /** Returns the number of started transactions, by all clients; for MongoDB only. */
  long transactions();
}
