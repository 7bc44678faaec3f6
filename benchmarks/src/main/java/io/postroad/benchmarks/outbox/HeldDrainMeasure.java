package io.postroad.benchmarks.outbox;

import java.util.List;

/** Measures the rate and the cost of delivering a backlog while a transaction is held open. */
record HeldDrainMeasure(int rounds, int backlog, Held held) implements Measure {

  /** The kind of open transaction. */
  enum Held {
    NOTHING("drain") {
      @Override
      HeldTransaction begin(Round round, EventStream stream) {
        return HeldTransaction.none();
      }
    },
    READER("drain-held-reader") {
      @Override
      HeldTransaction begin(Round round, EventStream stream) throws Exception {
        return round.holdReader();
      }
    },
    WRITER("drain-held-writer") {
      @Override
      HeldTransaction begin(Round round, EventStream stream) throws InterruptedException {
        return HeldTransaction.writing(round, stream.next());
      }
    };

    private final String measure;

    Held(String measure) {
      this.measure = measure;
    }

    /** Returns the name of the measure. */
    String measure() {
      return measure;
    }

    /** Returns the name of the measure of buffers. */
    String buffers() {
      return measure + "-buffers";
    }

    abstract HeldTransaction begin(Round round, EventStream stream) throws Exception;
  }

  @Override
  public String name() {
    return held.measure();
  }

  @Override
  public List<Figure> run(Round round) throws Exception {
    EventStream stream = new EventStream(0, 2);
    Backlog.deliverOne(round, stream);
    // Its own keys: its event is written first and committed last.
    HeldTransaction transaction = held.begin(round, new EventStream(1, 2));
    Backlog.fill(round, stream, backlog);
    MeteredDrain drain = MeteredDrain.of(round, backlog);
    round.startRelay();
    transaction.end();
    round.awaitArrival();
    return List.of(
        new Figure(held.measure(), drain.rate(), Figure.Unit.EVENTS_PER_SECOND),
        new Figure(held.buffers(), drain.reads(), round.meter().readUnit()));
  }
}
