package io.postroad.benchmarks.process;

import java.util.List;

/** Runs transfers of four steps. */
interface ProcessContender extends AutoCloseable {

  String name();

  /**
   * Runs a number of transfers, a few at a time, and returns when the last one has ended.
   *
   * @param someFail whether some fail late and are undone
   * @return the duration of each in nanoseconds
   */
  List<Long> run(int transfers, boolean someFail) throws Exception;

  @Override
  void close();
}
