package io.postroad.benchmarks.outbox;

import java.io.PrintStream;

/** Prints the results of a run, one per line. */
@FunctionalInterface
interface Report {
  void print(Scoreboard scoreboard, PrintStream out);
}
