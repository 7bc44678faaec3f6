package io.postroad.benchmarks;

import io.postroad.benchmarks.outbox.OutboxBench;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The entry of {@code bin/bench}: results on stdout, progress on stderr. */
public final class BenchMain {
  static final int WRONG_USAGE = 2;

  private BenchMain() {}

  public static void main(String[] args) {
    System.exit(run(List.of(args), System.out, System.err));
  }

  static int run(List<String> args, PrintStream out, PrintStream err) {
    if (args.isEmpty() || !args.get(0).equals("outbox")) {
      err.print(usage());
      return WRONG_USAGE;
    }
    OutboxBench bench;
    try {
      bench = OutboxBench.parse(args.subList(1, args.size()));
    } catch (IllegalArgumentException wrong) {
      err.println("bench: " + wrong.getMessage());
      err.print(usage());
      return WRONG_USAGE;
    }
    return bench.run(out, err);
  }

  private static String usage() {
    try (InputStream text = BenchMain.class.getResourceAsStream("/usage.txt")) {
      return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
