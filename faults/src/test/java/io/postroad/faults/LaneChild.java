package io.postroad.faults;

import io.postroad.servers.ChildJvm;
import io.postroad.servers.ChildJvmOptions;
import java.time.Duration;
import java.util.List;

/** A {@link LaneProcess} as a test sees it. */
final class LaneChild implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final LaneArgs args;
  private final ChildJvm jvm;
  private boolean ready;

  private LaneChild(LaneArgs args, ChildJvm jvm) {
    this.args = args;
    this.jvm = jvm;
  }

  /** Starts one; it may take a while until its relay runs. */
  static LaneChild start(LaneArgs args) {
    ChildJvmOptions options =
        ChildJvmOptions.of(LaneProcess.class)
            .withArgs(args.toArray())
            // It lives for seconds: starting fast is worth more than running fast.
            .withJvmArgs("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");
    return new LaneChild(args, ChildJvm.start(options));
  }

  /** Returns when its relay runs. */
  LaneChild awaitReady() {
    if (!ready) {
      String unused = jvm.awaitLine(LaneProcess.READY::equals, PATIENCE);
      ready = true;
    }
    return this;
  }

  String name() {
    return args.name();
  }

  void stopAt(Point point) {
    jvm.sendLine(LaneProcess.STOP_AT + point);
  }

  /** Returns when it stands still there. */
  void awaitAt(Point point) {
    String unused = jvm.awaitLine((StopPoints.AT + point)::equals, PATIENCE);
  }

  /** Returns when it has reported that it lost its lane; the line. */
  String awaitLaneLost() {
    return jvm.awaitLine(out -> out.startsWith(SignalLines.LANE_LOST), PATIENCE);
  }

  /** Returns when it has reported that it took its lane; the line. */
  String awaitLaneTaken() {
    return jvm.awaitLine(out -> out.startsWith(SignalLines.LANE_TAKEN), PATIENCE);
  }

  boolean isAlive() {
    return jvm.isAlive();
  }

  int awaitExit() {
    return jvm.awaitExit(PATIENCE);
  }

  /** Clean: returns when the process has ended by itself. */
  void stop() {
    jvm.sendLine(LaneProcess.STOP);
    int exit = jvm.awaitExit(PATIENCE);
    if (exit != 0) {
      throw new AssertionError(name() + " ended with " + exit + ": " + output());
    }
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
