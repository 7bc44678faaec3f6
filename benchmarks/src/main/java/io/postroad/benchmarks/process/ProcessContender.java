package io.postroad.benchmarks.process;

import java.util.List;

/** Somebody who does transfers of four steps. */
interface ProcessContender extends AutoCloseable {

  String name();

  /**
   * Does so many transfers, a few at a time, and returns when the last one has ended.
   *
   * @param someFail whether some fail late and are undone
   * @return how long each took, in nanoseconds
   */
  List<Long> run(int transfers, boolean someFail) throws Exception;

  @Override
  void close();
}
