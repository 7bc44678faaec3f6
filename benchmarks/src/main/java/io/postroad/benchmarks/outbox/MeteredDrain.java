package io.postroad.benchmarks.outbox;

/**
 * The delivery of a backlog by a relay that was then stopped.
 *
 * @param rate events per second
 * @param reads database reads per event, in the unit of {@link Meter#readUnit}
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
