package io.postroad.benchmarks.outbox;

import java.io.PrintStream;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The outbox benchmark: every contender in every measure of a programme. */
public final class OutboxBench {
  private final Programme programme;

  OutboxBench(Programme programme) {
    this.programme = programme;
  }

  /**
   * The run that these arguments ask for.
   *
   * @throws IllegalArgumentException naming the argument that is not understood
   */
  public static OutboxBench parse(List<String> args) {
    Programme programme = args.contains("--quick") ? Programme.quick() : Programme.full();
    for (int i = 0; i < args.size(); i++) {
      switch (args.get(i)) {
        case "--quick" -> {}
        case "--only" -> programme = programme.only(++i < args.size() ? args.get(i) : "");
        default -> throw new IllegalArgumentException("unknown argument: " + args.get(i));
      }
    }
    return new OutboxBench(programme);
  }

  /** In the order in which they are printed. */
  private static Map<String, Contender.Factory> contenders() {
    Map<String, Contender.Factory> contenders = new LinkedHashMap<>();
    contenders.put(Scoreboard.SUBJECT, PostroadContender::new);
    contenders.put(Scoreboard.YARDSTICK, LimitContender::new);
    return contenders;
  }

  private static int exitCode(Verification found, Progress progress) {
    if (found.isAcceptable()) {
      return 0;
    }
    progress.say(
        "FAILED: %d events were committed and did not arrive, %d arrived and were never committed"
            .formatted(found.lost(), found.unknown()));
    return 1;
  }

  /** Runs on servers of its own; the exit code, 0 when nothing was lost. */
  public int run(PrintStream out, PrintStream err) {
    Progress progress = new Progress(err);
    progress.say("starting PostgreSQL and Kafka");
    try (BenchServers servers = BenchServers.start()) {
      Map<String, Contender.Factory> contenders = contenders();
      Scoreboard scoreboard = new Scoreboard("postgres", List.copyOf(contenders.keySet()));
      Turns turns = new Turns(servers, contenders, scoreboard, progress);
      for (Measure measure : programme.measures()) {
        for (int i = 0; i < programme.warmUps(); i++) {
          turns.warmUp(measure);
        }
        turns.run(measure);
      }
      progress.say("done");
      scoreboard.print(out);
      return exitCode(scoreboard.verification(), progress);
    } catch (SQLException failed) {
      throw new IllegalStateException("the database failed during the benchmark", failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }
}
