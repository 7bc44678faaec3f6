package io.postroad.benchmarks.outbox;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Runs the rounds of measures in turns, forwards and backwards (A B, B A, A B, ...). Rounds with
 * the same number are neighbours in time, on which their ratio relies.
 */
final class Turns {
  private final BenchServers servers;
  private final List<Entrant> entrants;
  private final Scoreboard scoreboard;
  private final Progress progress;

  Turns(BenchServers servers, List<Entrant> entrants, Scoreboard scoreboard, Progress progress) {
    this.servers = servers;
    this.entrants = entrants;
    this.scoreboard = scoreboard;
    this.progress = progress;
  }

  void warmUp(Measure measure) throws Exception {
    for (Entrant entrant : entrants.stream().filter(each -> each.takesPartIn(measure)).toList()) {
      progress.say("%s warm-up %s".formatted(measure.name(), entrant.label()));
      try (Round round = servers.round(entrant)) {
        measure.warmUp(round);
        scoreboard.add(entrant, measure.name(), round.verify());
      }
    }
  }

  /** Runs all measures of a group with one contender, then with the next. */
  void run(List<Measure> group) throws Exception {
    List<Entrant> order = new ArrayList<>(entrants);
    int rounds = group.get(0).rounds();
    for (int i = 1; i <= rounds; i++) {
      for (Entrant entrant : order) {
        for (Measure measure : group) {
          if (entrant.takesPartIn(measure)) {
            run(measure, i, entrant);
          }
        }
      }
      Collections.reverse(order);
    }
  }

  private void run(Measure measure, int number, Entrant entrant) throws Exception {
    try (Round round = servers.round(entrant)) {
      List<Figure> figures = measure.run(round);
      scoreboard.add(entrant, figures);
      scoreboard.add(entrant, measure.name(), round.verify());
      progress.round(measure, number, entrant, figures);
    }
  }
}
