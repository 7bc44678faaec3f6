package io.postroad.benchmarks.outbox;

import java.io.PrintStream;
import java.sql.SQLException;
import java.util.List;

/** The outbox benchmark: every contender in every measure of a programme. */
public final class OutboxBench {
  private final Programme programme;
  private final List<Entrant> entrants;

  OutboxBench(Programme programme, List<Entrant> entrants) {
    this.programme = programme;
    this.entrants = entrants;
  }

  /**
   * The run that these arguments ask for.
   *
   * @throws IllegalArgumentException naming the argument that is not understood
   */
  public static OutboxBench parse(List<String> args) {
    boolean held = args.contains("--held");
    Programme programme = programme(args.contains("--quick"), held);
    List<Entrant> entrants = Entrant.all();
    for (int i = 0; i < args.size(); i++) {
      switch (args.get(i)) {
        case "--quick", "--held" -> {}
        case "--only" -> {
          if (held) {
            throw new IllegalArgumentException("--held is a measure of its own, leave out --only");
          }
          programme = programme.only(++i < args.size() ? args.get(i) : "");
        }
        case "--contenders" -> entrants = Entrant.named(++i < args.size() ? args.get(i) : "");
        default -> throw new IllegalArgumentException("unknown argument: " + args.get(i));
      }
    }
    return new OutboxBench(programme, entrants);
  }

  private static Programme programme(boolean quick, boolean held) {
    if (held) {
      return quick ? Programme.heldQuick() : Programme.heldFull();
    }
    return quick ? Programme.quick() : Programme.full();
  }

  private static int exitCode(Scoreboard scoreboard, Progress progress) {
    for (Entrant entrant : scoreboard.brokenPromises()) {
      Verification found = scoreboard.verification(entrant);
      progress.say(
          "FAILED: %s: %d events were committed and did not arrive, %d arrived and were never committed, %d arrived after a later one of their key"
              .formatted(entrant.label(), found.lost(), found.unknown(), found.outOfOrder()));
    }
    return scoreboard.brokenPromises().isEmpty() ? 0 : 1;
  }

  /** Runs on servers of its own; the exit code, 0 when everybody kept what they promise. */
  public int run(PrintStream out, PrintStream err) {
    Progress progress = new Progress(err);
    progress.say("starting PostgreSQL and Kafka");
    try (BenchServers servers = BenchServers.start()) {
      Scoreboard scoreboard = new Scoreboard("postgres", entrants);
      Turns turns = new Turns(servers, entrants, scoreboard, progress);
      for (List<Measure> group : programme.groups()) {
        for (int i = 0; i < programme.warmUps(); i++) {
          turns.warmUp(group.get(0));
        }
        turns.run(group);
      }
      progress.say("done");
      programme.report().print(scoreboard, out);
      return exitCode(scoreboard, progress);
    } catch (SQLException failed) {
      throw new IllegalStateException("the database failed during the benchmark", failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }
}
