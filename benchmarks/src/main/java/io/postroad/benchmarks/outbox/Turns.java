package io.postroad.benchmarks.outbox;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;

/**
 * Runs the rounds of a measure in turns, forwards and backwards (A B, B A, A B, ...). Rounds with
 * the same number are neighbours in time, which is what their ratio relies on.
 */
final class Turns {
  private final BenchServers servers;
  private final Map<String, Contender.Factory> contenders;
  private final Scoreboard scoreboard;
  private final Progress progress;

  Turns(
      BenchServers servers,
      Map<String, Contender.Factory> contenders,
      Scoreboard scoreboard,
      Progress progress) {
    this.servers = servers;
    this.contenders = contenders;
    this.scoreboard = scoreboard;
    this.progress = progress;
  }

  void warmUp(Measure measure) throws SQLException, InterruptedException {
    for (Entry<String, Contender.Factory> each : contenders.entrySet()) {
      progress.say("%s warm-up %s".formatted(measure.name(), each.getKey()));
      try (Round round = servers.round(each.getKey(), each.getValue())) {
        measure.warmUp(round);
        scoreboard.add(each.getKey(), round.verify());
      }
    }
  }

  void run(Measure measure) throws SQLException, InterruptedException {
    List<Entry<String, Contender.Factory>> order = new ArrayList<>(contenders.entrySet());
    for (int i = 1; i <= measure.rounds(); i++) {
      for (Entry<String, Contender.Factory> each : order) {
        try (Round round = servers.round(each.getKey(), each.getValue())) {
          List<Figure> figures = measure.run(round);
          scoreboard.add(each.getKey(), figures);
          scoreboard.add(each.getKey(), round.verify());
          progress.round(measure, i, each.getKey(), figures);
        }
      }
      Collections.reverse(order);
    }
  }
}
