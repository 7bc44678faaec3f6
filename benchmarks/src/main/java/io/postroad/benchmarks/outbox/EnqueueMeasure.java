package io.postroad.benchmarks.outbox;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** How many transactions with an event eight writers commit while no relay runs. */
record EnqueueMeasure(Rounds rounds, Duration forTime) implements Measure {
  @Override
  public String name() {
    return "enqueue";
  }

  @Override
  public List<Figure> run(Round round) throws SQLException, InterruptedException {
    Duration took = Writers.write(round, forTime);
    double rate = Rate.of(round.committed(), took);
    round.startRelay();
    round.awaitArrival();
    return List.of(new Figure(name(), rate, Figure.Unit.TRANSACTIONS_PER_SECOND));
  }
}
