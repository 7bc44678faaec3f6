package io.postroad.benchmarks.process;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.benchmarks.Sql;
import io.postroad.benchmarks.outbox.JdbcCounter;
import io.postroad.benchmarks.outbox.StatementCount;
import io.postroad.servers.PostgresServer;
import io.postroad.servers.ServerOptions;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import javax.sql.DataSource;

/**
 * Transfers of four local steps (debit, convert, credit, notify), of which one in twenty fails at
 * the credit and is undone: how many a second, how long one takes, and what it costs in commits and
 * statements; in turns with what can be written by hand.
 */
public final class ProcessBench {
  static final int CONCURRENCY = 4;
  private static final int STEPS = 4;
  private static final double LEAST = 0.40;
  private static final double MOST_COMMITS = 5;

  private final int rounds;
  private final int transfers;

  ProcessBench(int rounds, int transfers) {
    this.rounds = rounds;
    this.transfers = transfers;
  }

  /**
   * The run that these arguments ask for.
   *
   * @throws IllegalArgumentException naming the argument that is not understood
   */
  public static ProcessBench parse(List<String> args) {
    for (String arg : args) {
      if (!arg.equals("--quick")) {
        throw new IllegalArgumentException("unknown argument: " + arg);
      }
    }
    return args.isEmpty() ? new ProcessBench(10, 4_000) : new ProcessBench(5, 2_000);
  }

  /** What one round showed. */
  private record Result(double perSecond, double p50Millis) {}

  /** What a transfer costs that succeeds. */
  private record Cost(double commits, double statements) {}

  private interface Maker {
    ProcessContender create(DataSource pool, Transfers transfers) throws Exception;
  }

  /** Runs on a server of its own; 0 when every effect is there exactly once. */
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
    config.setMaximumPoolSize(4 * CONCURRENCY);
    return new HikariDataSource(config);
  }

  private int measure(DataSource pool, PrintStream out, PrintStream err) throws Exception {
    List<Result> ours = new ArrayList<>();
    List<Result> limits = new ArrayList<>();
    for (int round = -1; round <= rounds; round++) {
      Result limit = one(HandwrittenTransfers::create, pool, err);
      Result postroad = one(PostroadTransfers::create, pool, err);
      if (round >= 1) {
        limits.add(limit);
        ours.add(postroad);
      }
    }
    double ratio = print(out, "processes", "processes/s", ours, limits, Result::perSecond);
    double unusedLatency = print(out, "p50", "ms", ours, limits, Result::p50Millis);
    Cost cost = cost(PostroadTransfers::create, pool);
    Cost limitCost = cost(HandwrittenTransfers::create, pool);
    line(out, "commits %.2f commits/process", cost.commits());
    line(out, "limit.commits %.2f commits/process", limitCost.commits());
    line(out, "statements %.2f statements/step", cost.statements());
    line(out, "limit.statements %.2f statements/step", limitCost.statements());
    line(
        out,
        "threshold processes ratio-to-limit=%.2f at-least=%.2f %s",
        ratio,
        LEAST,
        ratio >= LEAST ? "pass" : "MISSED");
    line(
        out,
        "threshold commits commits/process=%.2f at-most=%.0f %s",
        cost.commits(),
        MOST_COMMITS,
        // Background work (a look for timers) is in the figure, so it is rounded.
        Math.round(cost.commits() * 10) <= MOST_COMMITS * 10 ? "pass" : "MISSED");
    return 0;
  }

  private Result one(Maker maker, DataSource pool, PrintStream err) throws Exception {
    Transfers business = new Transfers(pool);
    business.reset();
    try (ProcessContender contender = maker.create(pool, business)) {
      Sql.run(pool, "CHECKPOINT");
      System.gc();
      long began = System.nanoTime();
      List<Long> took = contender.run(transfers, true);
      double perSecond = transfers * 1e9 / (System.nanoTime() - began);
      business.verify(contender.name(), transfers, true);
      List<Double> millis = took.stream().map(nanos -> nanos / 1e6).toList();
      Result result = new Result(perSecond, median(millis));
      err.printf(
          Locale.ROOT,
          "%s: %.0f processes/s, p50 %.2f ms%n",
          contender.name(),
          result.perSecond(),
          result.p50Millis());
      return result;
    }
  }

  /** A run of its own, since counting costs time; without failures. */
  private Cost cost(Maker maker, DataSource pool) throws Exception {
    StatementCount count = new StatementCount();
    DataSource counted = new JdbcCounter(count).counted(pool);
    Transfers business = new Transfers(pool);
    business.reset();
    int few = Math.max(100, transfers / 4);
    try (ProcessContender contender = maker.create(counted, new Transfers(counted))) {
      long transactions = transactions(pool);
      long statements = count.total();
      List<Long> unused = contender.run(few, false);
      long sent = count.total() - statements;
      double commits = (transactions(pool) - transactions - 1) / (double) few;
      business.verify(contender.name(), few, false);
      return new Cost(commits, sent / (double) (few * STEPS));
    }
  }

  /** Transactions that write or lock have a number each, and asking takes one more. */
  private static long transactions(DataSource pool) throws Exception {
    return Sql.number(pool, "SELECT pg_current_xact_id()::text::bigint");
  }

  private static double print(
      PrintStream out,
      String measure,
      String unit,
      List<Result> ours,
      List<Result> limits,
      ToDoubleFunction<Result> value) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      ratios.add(value.applyAsDouble(ours.get(i)) / value.applyAsDouble(limits.get(i)));
    }
    double ratio = median(ratios);
    line(
        out,
        "%s %.2f %s ratio-to-limit=%.2f limit=limit",
        measure,
        median(ours.stream().map(value::applyAsDouble).toList()),
        unit,
        ratio);
    line(
        out,
        "limit.%s %.2f %s ratio-to-limit=1.00 limit=limit",
        measure,
        median(limits.stream().map(value::applyAsDouble).toList()),
        unit);
    return ratio;
  }

  private static void line(PrintStream out, String format, Object... values) {
    out.println("bench process postgres " + String.format(Locale.ROOT, format, values));
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
