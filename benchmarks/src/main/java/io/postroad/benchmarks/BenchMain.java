package io.postroad.benchmarks;

import io.postroad.benchmarks.commands.CommandsBench;
import io.postroad.benchmarks.outbox.OutboxBench;
import io.postroad.benchmarks.pickup.PickupBench;
import io.postroad.benchmarks.process.ProcessBench;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Runs {@code bin/bench}: prints results to stdout and progress to stderr. */
public final class BenchMain {
  static final int WRONG_USAGE = 2;

  private BenchMain() {}

  public static void main(String[] args) {
    System.exit(run(List.of(args), System.out, System.err));
  }

  static int run(List<String> args, PrintStream out, PrintStream err) {
    if (args.isEmpty()) {
      err.print(usage());
      return WRONG_USAGE;
    }
    List<String> rest = args.subList(1, args.size());
    Run bench;
    try {
      bench = parse(args.get(0), rest);
    } catch (IllegalArgumentException wrong) {
      err.println("bench: " + wrong.getMessage());
      err.print(usage());
      return WRONG_USAGE;
    }
    return bench.run(out, err);
  }

  /** A benchmark with parsed arguments. */
  private interface Run {
    int run(PrintStream out, PrintStream err);
  }

  private static Run parse(String name, List<String> args) {
    return switch (name) {
      case "outbox" -> OutboxBench.parse(args)::run;
      case "commands" -> CommandsBench.parse(args)::run;
      case "process" -> ProcessBench.parse(args)::run;
      case "pickup" -> PickupBench.parse(args)::run;
      default -> throw new IllegalArgumentException("unknown benchmark: " + name);
    };
  }

  private static String usage() {
    try (InputStream text = BenchMain.class.getResourceAsStream("/usage.txt")) {
      return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
