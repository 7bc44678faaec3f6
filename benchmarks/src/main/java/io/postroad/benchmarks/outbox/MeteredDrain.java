package io.postroad.benchmarks.outbox;

/**
 * A backlog that a relay has delivered and then stopped.
 *
 * @param rate events per second
 * @param reads what the database has looked at, per event, as {@link Meter#readUnit} counts it
 */
record MeteredDrain(double rate, double reads) {

  static MeteredDrain of(Round round, int backlog) throws Exception {
    long readsBefore = round.meter().reads();
    long began = System.nanoTime();
    round.startRelay();
    round.awaitArrival();
    double rate = Rate.since(began, backlog);
    round.stopRelay();
    double reads = round.meter().reads() - readsBefore;
    return new MeteredDrain(rate, reads / backlog);
  }
}
