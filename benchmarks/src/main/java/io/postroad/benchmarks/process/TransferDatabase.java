package io.postroad.benchmarks.process;

/**
 * A database with the business of transfers: each step writes an entry, where nothing could hide a
 * second execution. One transfer in twenty fails at the credit.
 */
interface TransferDatabase extends AutoCloseable {
  int FAILING = 20;

  static boolean fails(long transfer, boolean someFail) {
    return someFail && transfer % FAILING == 0;
  }

  String name();

  /** What a good team writes by hand, on an empty database. */
  ProcessContender limit() throws Exception;

  /** The process manager with its defaults, on an empty database. */
  ProcessContender postroad() throws Exception;

  /** Writes down what is in memory, so that no round pays for the one before it. */
  void flush() throws Exception;

  /** The entries that are there. */
  Entries entries() throws Exception;

  /** What was asked of the database until now. */
  Spent spent() throws Exception;

  @Override
  void close();

  /** How many entries there are, how many different ones, and how many of undos. */
  record Entries(long all, long different, long undone) {

    /** Refuses a run that lost an effect, has one twice, or has undone the wrong ones. */
    void verify(String who, int transfers, boolean someFail) {
      long failing = someFail ? (transfers + FAILING - 1L) / FAILING : 0;
      long expected = 4L * transfers;
      if (all != expected || different != expected || undone != 2 * failing) {
        throw new IllegalStateException(
            "%s wrote %d entries, %d different ones, %d of undos; expected %d and %d"
                .formatted(who, all, different, undone, expected, 2 * failing));
      }
    }
  }

  /**
   * What a database was asked for.
   *
   * @param commits of transactions that wrote something
   * @param roundTrips all ways to the server, with those that end transactions
   */
  record Spent(long commits, long roundTrips) {}
}
