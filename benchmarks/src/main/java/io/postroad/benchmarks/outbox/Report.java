package io.postroad.benchmarks.outbox;

import java.io.PrintStream;

/** Prints what a run has found, a line each. */
@FunctionalInterface
interface Report {
  void print(Scoreboard scoreboard, PrintStream out);
}
