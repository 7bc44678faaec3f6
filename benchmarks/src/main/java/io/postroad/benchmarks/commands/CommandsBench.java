package io.postroad.benchmarks.commands;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.benchmarks.Sql;
import io.postroad.servers.PostgresServer;
import io.postroad.servers.ServerOptions;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * Measures local commands on PostgreSQL: accepted, then handled, by Postroad and by hand-written
 * code in turns. The ratio compares two consecutive rounds; the median is printed.
 */
public final class CommandsBench {
  static final int CONCURRENCY = 8;

  private static final double MOST_COMMITS = 1.1;

  private final int rounds;
  private final int commands;

  CommandsBench(int rounds, int commands) {
    this.rounds = rounds;
    this.commands = commands;
  }

  /**
   * Parses the arguments of a run.
   *
   * @throws IllegalArgumentException naming the unknown argument
   */
  public static CommandsBench parse(List<String> args) {
    for (String arg : args) {
      if (!arg.equals("--quick")) {
        throw new IllegalArgumentException("unknown argument: " + arg);
      }
    }
    return args.isEmpty() ? new CommandsBench(12, 10_000) : new CommandsBench(6, 4_000);
  }

  /** The result of one round. */
  private record Result(double accepted, double handled, double commits) {}

  /** Runs on its own server; returns 0 if every command was handled once. */
  public int run(PrintStream out, PrintStream err) {
    ServerOptions options =
        ServerOptions.defaults()
            .withSetting("max_wal_size", "8GB")
            .withSetting("checkpoint_timeout", "1h");
    err.println("starting PostgreSQL");
    try (PostgresServer server = PostgresServer.started(options);
        HikariDataSource pool = pool(server.createDatabase("bench"))) {
      return measure(pool, out, err);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return 1;
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Exception failed) {
      throw new IllegalStateException("the database failed during the benchmark", failed);
    }
  }

  private static HikariDataSource pool(String jdbcUrl) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(jdbcUrl);
    config.setMaximumPoolSize(2 * CONCURRENCY);
    return new HikariDataSource(config);
  }

  private int measure(DataSource pool, PrintStream out, PrintStream err) throws Exception {
    Orders orders = new Orders(pool);
    List<Result> ours = new ArrayList<>();
    List<Result> limits = new ArrayList<>();
    for (int round = -1; round <= rounds; round++) {
      boolean warmUp = round < 1;
      Result limit = one(HandwrittenCommands.create(pool, orders), orders, pool, err);
      Result postroad = one(PostroadCommands.create(pool, orders), orders, pool, err);
      if (!warmUp) {
        limits.add(limit);
        ours.add(postroad);
      }
    }
    print(out, "accept", "tx/s", ours, limits, Result::accepted);
    print(out, "handle", "commands/s", ours, limits, Result::handled);
    double commits = median(ours.stream().map(Result::commits).toList());
    line(out, "commits %.3f commits/command", commits);
    line(
        out,
        "limit.commits %.3f commits/command",
        median(limits.stream().map(Result::commits).toList()));
    line(
        out,
        "threshold commits commits/command=%.3f at-most=%.2f %s",
        commits,
        MOST_COMMITS,
        commits <= MOST_COMMITS ? "pass" : "MISSED");
    return 0;
  }

  private Result one(CommandContender contender, Orders orders, DataSource pool, PrintStream err)
      throws Exception {
    try (contender) {
      orders.reset();
      Sql.run(pool, "CHECKPOINT");
      System.gc();
      long began = System.nanoTime();
      contender.accept(commands);
      double accepted = perSecond(began);
      long before = transactions(pool);
      began = System.nanoTime();
      contender.handleAll();
      double handled = perSecond(began);
      double commits = (transactions(pool) - before - 1) / (double) commands;
      Orders.Count count = orders.count();
      if (count.orders() != commands || count.repeated() != 0) {
        throw new IllegalStateException(
            "%s handled %d of %d commands, %d of them again"
                .formatted(contender.name(), count.orders(), commands, count.repeated()));
      }
      err.printf(
          Locale.ROOT,
          "%s: accept %.0f tx/s, handle %.0f commands/s, %.3f commits/command%n",
          contender.name(),
          accepted,
          handled,
          commits);
      return new Result(accepted, handled, commits);
    }
  }

  private double perSecond(long beganNanos) {
    return commands * 1e9 / (System.nanoTime() - beganNanos);
  }

  /**
   * Returns the number of transactions that wrote or locked; the question itself takes one more.
   */
  private static long transactions(DataSource pool) throws Exception {
    return Sql.number(pool, "SELECT pg_current_xact_id()::text::bigint");
  }

  private interface Value {
    double of(Result result);
  }

  private static void print(
      PrintStream out,
      String measure,
      String unit,
      List<Result> ours,
      List<Result> limits,
      Value value) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      ratios.add(value.of(ours.get(i)) / value.of(limits.get(i)));
    }
    line(
        out,
        "%s %.0f %s ratio-to-limit=%.2f limit=limit",
        measure,
        median(ours.stream().map(value::of).toList()),
        unit,
        median(ratios));
    line(
        out,
        "limit.%s %.0f %s ratio-to-limit=1.00 limit=limit",
        measure,
        median(limits.stream().map(value::of).toList()),
        unit);
  }

  private static void line(PrintStream out, String format, Object... values) {
    out.println("bench commands postgres " + String.format(Locale.ROOT, format, values));
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
