package io.postroad.benchmarks.outbox;

/** Reads what a contender has cost the database so far; take the difference of two readings. */
interface Meter {

  /** How the log of the database is called, in the names of figures. */
  String logName();

  /** Bytes written to the log of the database, by everybody. */
  long logBytes() throws Exception;

  /** Statements that the relay has sent. */
  long statements();

  /** Buffers that were looked at, in memory or not; asked on PostgreSQL only. */
  long buffers() throws Exception;

  /** Transactions that were started, by everybody; asked on MongoDB only. */
  long transactions();
}
