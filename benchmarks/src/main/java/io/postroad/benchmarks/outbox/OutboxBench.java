package io.postroad.benchmarks.outbox;

import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/** Runs the outbox benchmark: every contender in every measure of a programme. */
public final class OutboxBench {
  private final BenchStore store;
  private final Programme programme;
  private final List<Entrant> entrants;

  OutboxBench(BenchStore store, Programme programme, List<Entrant> entrants) {
    this.store = store;
    this.programme = programme;
    this.entrants = entrants;
  }

  /**
   * Parses the arguments of a run.
   *
   * @throws IllegalArgumentException naming the unknown argument
   */
  public static OutboxBench parse(List<String> args) {
    BenchStore store = BenchStore.named(valueOf("--store", args).orElse("postgres"));
    boolean alone = args.contains("--held") || args.contains("--parked");
    Programme programme = programme(store, args);
    List<Entrant> entrants = args.contains("--parked") ? blocking(store) : store.entrants();
    for (int i = 0; i < args.size(); i++) {
      switch (args.get(i)) {
        case "--quick", "--held", "--parked" -> {}
        case "--store" -> i++;
        case "--only" -> {
          if (alone) {
            throw new IllegalArgumentException(
                "--held and --parked are measures of their own, leave out --only");
          }
          programme = programme.only(++i < args.size() ? args.get(i) : "");
        }
        case "--contenders" ->
            entrants = Entrant.named(++i < args.size() ? args.get(i) : "", entrants);
        default -> throw new IllegalArgumentException("unknown argument: " + args.get(i));
      }
    }
    return new OutboxBench(store, programme, entrants);
  }

  private static Optional<String> valueOf(String name, List<String> args) {
    int at = args.indexOf(name);
    return at < 0 ? Optional.empty() : Optional.of(at + 1 < args.size() ? args.get(at + 1) : "");
  }

  /** Returns the entrants that can block keys: only Postroad's ordered store does. */
  private static List<Entrant> blocking(BenchStore store) {
    return store.entrants().stream().filter(Entrant::isSubject).toList();
  }

  private static Programme programme(BenchStore store, List<String> args) {
    boolean quick = args.contains("--quick");
    if (args.contains("--parked")) {
      return quick ? Programme.blockedQuick(store) : Programme.blockedFull(store);
    }
    if (args.contains("--held")) {
      if (store != BenchStore.POSTGRES) {
        throw new IllegalArgumentException("--held is measured on postgres only");
      }
      return quick ? Programme.heldQuick() : Programme.heldFull();
    }
    return quick ? Programme.quick(store) : Programme.full(store);
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

  /** Runs on its own servers; returns the exit code, 0 if all entrants kept their guarantees. */
  public int run(PrintStream out, PrintStream err) {
    Progress progress = new Progress(err);
    progress.say("starting %s and Kafka".formatted(store.title()));
    try (BenchServers servers = BenchServers.start(store)) {
      Scoreboard scoreboard = new Scoreboard(store.label(), entrants);
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
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return 1;
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Exception failed) {
      throw new IllegalStateException("the database failed during the benchmark", failed);
    }
  }
}
