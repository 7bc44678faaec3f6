package io.postroad.benchmarks.process;

/**
 * A database for transfers: each step writes an entry, without a constraint that could hide a
 * second execution. One transfer in twenty fails at the credit.
 */
interface TransferDatabase extends AutoCloseable {
  int FAILING = 20;

  static boolean fails(long transfer, boolean someFail) {
    return someFail && transfer % FAILING == 0;
  }

  String name();

  /** Creates the hand-written contender, on an empty database. */
  ProcessContender limit() throws Exception;

  /** Creates the process manager with its defaults, on an empty database. */
  ProcessContender postroad() throws Exception;

  /** Writes everything to disk, so that no round pays for the one before it. */
  void flush() throws Exception;

  /** Counts the entries. */
  Entries entries() throws Exception;

  /** Returns the costs so far. */
  Spent spent() throws Exception;

  @Override
  void close();

  /** The number of entries, of different ones, and of undos. */
  record Entries(long all, long different, long undone) {

    /** Refuses a run that lost an effect, has one twice, or has undone the wrong transfers. */
    void verify(String contender, int transfers, boolean someFail) {
      long failing = someFail ? (transfers + FAILING - 1L) / FAILING : 0;
      long expected = 4L * transfers;
      if (all != expected || different != expected || undone != 2 * failing) {
        throw new IllegalStateException(
            "%s wrote %d entries, %d different ones, %d of undos; expected %d and %d"
                .formatted(contender, all, different, undone, expected, 2 * failing));
      }
    }
  }

  /**
   * The costs in a database.
   *
   * @param commits commits of transactions that wrote something
   * @param roundTrips all round trips to the server, with those that end transactions
   */
  record Spent(long commits, long roundTrips) {}
}
