package io.postroad.benchmarks.pickup;

import io.postroad.outbox.RelayOptions;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.ChildJvm;
import io.postroad.servers.ManagedServer;
import io.postroad.servers.MongoServer;
import io.postroad.servers.PostgresServer;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures how long work waits after a node was killed or frozen, after a restart of the database,
 * and after a node was stopped. Two nodes run in their own JVMs, with their own server.
 */
public final class PickupBench {
  private static final Duration STARTS_WITHIN = Duration.ofMinutes(2);
  private static final Duration BEFORE_THE_FAULT = Duration.ofSeconds(4);

  private final boolean isMongo;

  private PickupBench(boolean isMongo) {
    this.isMongo = isMongo;
  }

  /**
   * Parses the arguments of a run.
   *
   * @throws IllegalArgumentException naming the unknown argument
   */
  public static PickupBench parse(List<String> args) {
    if (args.isEmpty()) {
      return new PickupBench(false);
    }
    if (args.size() == 2 && args.get(0).equals("--store")) {
      return switch (args.get(1)) {
        case "postgres" -> new PickupBench(false);
        case "mongodb" -> new PickupBench(true);
        default ->
            throw new IllegalArgumentException(
                "--store takes one of postgres, mongodb, got: " + args.get(1));
      };
    }
    throw new IllegalArgumentException(
        "pickup takes --store postgres or --store mongodb, got: " + String.join(" ", args));
  }

  /** The kinds of faults. */
  private enum Fault {
    SIGKILL,
    SIGSTOP,
    DATABASE_RESTART,
    CLEAN_STOP;

    /** Returns the longest time that work may wait. */
    Duration limit(Duration lease) {
      return switch (this) {
        case SIGKILL, SIGSTOP -> lease.plusSeconds(5);
        case DATABASE_RESTART -> Duration.ofSeconds(5);
        case CLEAN_STOP -> Duration.ofSeconds(1);
      };
    }

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Runs on its own servers; returns 0 if no limit was exceeded. */
  public int run(PrintStream out, PrintStream err) {
    boolean isMissed = false;
    try {
      for (Fault fault : Fault.values()) {
        isMissed |= measure(fault, out, err);
      }
      return isMissed ? 1 : 0;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return 1;
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Exception failed) {
      throw new IllegalStateException("the benchmark failed", failed);
    }
  }

  private boolean measure(Fault fault, PrintStream out, PrintStream err) throws Exception {
    err.println("starting the database and two nodes: " + fault.label());
    try (ManagedServer server = server()) {
      String address = address(server);
      try (PickupStores<?> stores = PickupStores.open(address, SchemaMode.MIGRATE);
          ChildJvm first = node(address, "first");
          ChildJvm second = node(address, "second")) {
        Map<PickupKind, Duration> longest = waits(stores, fault, server, first);
        if (!second.isAlive()) {
          throw new IllegalStateException("the second node has ended: " + second.output());
        }
        return print(fault, longest, out);
      }
    }
  }

  private static <T> Map<PickupKind, Duration> waits(
      PickupStores<T> stores, Fault fault, ManagedServer server, ChildJvm first)
      throws InterruptedException {
    try (PickupLoad<T> load = new PickupLoad<>(stores)) {
      load.runFor(BEFORE_THE_FAULT);
      inflict(fault, server, first);
      return load.longestWaits();
    }
  }

  /** Causes a fault, and returns when the node has stopped or the database is up again. */
  private static void inflict(Fault fault, ManagedServer server, ChildJvm node) {
    switch (fault) {
      case SIGKILL -> node.kill();
      case SIGSTOP -> node.freeze();
      case DATABASE_RESTART -> server.restart();
      case CLEAN_STOP -> {
        node.sendLine("stop");
        String unused = node.awaitLine(PickupNode.STOPPED::equals, STARTS_WITHIN);
      }
    }
  }

  private ManagedServer server() {
    return isMongo ? MongoServer.started() : PostgresServer.started();
  }

  private static String address(ManagedServer server) {
    if (server instanceof MongoServer mongo) {
      return mongo.connectionString() + " " + mongo.freshDatabase("pickup");
    }
    return ((PostgresServer) server).createDatabase("pickup");
  }

  private static ChildJvm node(String address, String name) {
    ChildJvm node = ChildJvm.start(PickupNode.class, address, name);
    String unused = node.awaitLine(PickupNode.READY::equals, STARTS_WITHIN);
    return node;
  }

  private boolean print(Fault fault, Map<PickupKind, Duration> longest, PrintStream out) {
    boolean isMissed = false;
    for (Map.Entry<PickupKind, Duration> wait : longest.entrySet()) {
      Duration lease =
          wait.getKey() == PickupKind.LANE
              ? RelayOptions.defaults().laneLeaseFor()
              : PickupWork.COMMAND_LEASE;
      Duration limit = fault.limit(lease);
      boolean isKept = wait.getValue().compareTo(limit) <= 0;
      isMissed |= !isKept;
      out.printf(
          Locale.ROOT,
          "bench pickup %s %s %s longest=%.1f s lease=%.1f s at-most=%.1f s %s%n",
          isMongo ? "mongodb" : "postgres",
          fault.label(),
          wait.getKey().label(),
          seconds(wait.getValue()),
          seconds(lease),
          seconds(limit),
          isKept ? "pass" : "MISSED");
    }
    return isMissed;
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1_000.0;
  }
}
