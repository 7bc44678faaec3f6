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

  void run(Measure measure) throws SQLException, InterruptedException {
    Measure.Rounds rounds = measure.rounds();
    List<Entry<String, Contender.Factory>> order = new ArrayList<>(contenders.entrySet());
    for (int i = 1 - rounds.warmUp(); i <= rounds.counted(); i++) {
      boolean counts = i > 0;
      for (Entry<String, Contender.Factory> contender : order) {
        List<Figure> figures = round(measure, contender.getKey(), contender.getValue());
        String which = counts ? "round %d/%d".formatted(i, rounds.counted()) : "warm-up";
        progress.round(measure.name(), which, contender.getKey(), figures);
        if (counts) {
          scoreboard.add(contender.getKey(), figures);
        }
      }
      Collections.reverse(order);
    }
  }

  private List<Figure> round(Measure measure, String contender, Contender.Factory factory)
      throws SQLException, InterruptedException {
    try (Round round = servers.round(contender, factory)) {
      List<Figure> figures = measure.run(round);
      scoreboard.add(contender, round.verify());
      return figures;
    }
  }
}
