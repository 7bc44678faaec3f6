package io.postroad.faults;

import io.postroad.servers.ChildJvm;
import io.postroad.servers.ChildJvmOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** A {@link RelayProcess} as a test sees it. */
final class RelayChild implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final RelayArgs args;
  private final ChildJvm jvm;

  private RelayChild(RelayArgs args, ChildJvm jvm) {
    this.args = args;
    this.jvm = jvm;
  }

  /** Starts one and returns when its relay runs. */
  static RelayChild start(RelayArgs args) {
    ChildJvmOptions options =
        ChildJvmOptions.of(RelayProcess.class)
            .withArgs(args.toArray())
            // It lives for seconds: starting fast is worth more than running fast.
            .withJvmArgs("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");
    RelayChild child = new RelayChild(args, ChildJvm.start(options));
    child.jvm.awaitLine(RelayProcess.READY::equals, PATIENCE);
    return child;
  }

  String name() {
    return args.name();
  }

  /** Returns when it stands still in its first send; with how many messages. */
  int awaitHeldUp() {
    String line = jvm.awaitLine(out -> out.startsWith(HeldUpSender.HELD), PATIENCE);
    return Integer.parseInt(line.substring(HeldUpSender.HELD.length()));
  }

  void goOn() {
    jvm.sendLine(RelayProcess.GO_ON);
  }

  /** Returns when it has reported so many rejections by the fence; of which messages. */
  Set<UUID> awaitFenceRejections(int count) {
    Set<UUID> rejected = new HashSet<>();
    while (rejected.size() < count) {
      String line = jvm.awaitLine(out -> out.startsWith(SignalLines.FENCE_REJECTED), PATIENCE);
      rejected.add(UUID.fromString(line.split(" ")[1]));
    }
    return rejected;
  }

  /** How often it has reported each signal, as of its last line about it. */
  Map<String, Integer> totals() {
    List<String> lines = jvm.output();
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (lines.get(i).startsWith(SignalLines.TOTALS)) {
        return parsed(lines.get(i).substring(SignalLines.TOTALS.length()));
      }
    }
    return Map.of();
  }

  private static Map<String, Integer> parsed(String totals) {
    Map<String, Integer> counts = new TreeMap<>();
    for (String total : totals.split(" ")) {
      int equals = total.indexOf('=');
      counts.put(total.substring(0, equals), Integer.valueOf(total.substring(equals + 1)));
    }
    return counts;
  }

  boolean isAlive() {
    return jvm.isAlive();
  }

  List<String> output() {
    return jvm.output();
  }

  void kill() {
    jvm.kill();
  }

  void freeze() {
    jvm.freeze();
  }

  void unfreeze() {
    jvm.unfreeze();
  }

  @Override
  public void close() {
    jvm.close();
  }
}
