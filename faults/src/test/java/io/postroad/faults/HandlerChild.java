package io.postroad.faults;

import io.postroad.servers.ChildJvm;
import io.postroad.servers.ChildJvmOptions;
import java.io.IOException;
import java.time.Duration;

/** A process with handlers, to be killed, as a test sees it. */
final class HandlerChild implements AutoCloseable {
  private static final String READY = "READY";
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final ChildJvm jvm;

  private HandlerChild(ChildJvm jvm) {
    this.jvm = jvm;
  }

  /** Starts one and returns when its handlers are at work. */
  static HandlerChild start(Class<?> main, String... args) {
    ChildJvmOptions options =
        ChildJvmOptions.of(main)
            .withArgs(args)
            // It lives for seconds: starting fast is worth more than running fast.
            .withJvmArgs("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");
    HandlerChild child = new HandlerChild(ChildJvm.start(options));
    child.jvm.awaitLine(READY::equals, PATIENCE);
    return child;
  }

  /** For the child itself: says that it is ready, and returns at the end of its input. */
  static void stayReady() throws IOException {
    System.out.println(READY);
    while (System.in.read() >= 0) {
      // It takes no orders.
    }
  }

  /** How many of its lines begin so. */
  int lines(String beginning) {
    return (int) jvm.output().stream().filter(line -> line.startsWith(beginning)).count();
  }

  /** Returns when it has printed this line so often. */
  void awaitLines(String line, int count) throws Exception {
    Eventually.await(PATIENCE, () -> lines(line) >= count, () -> "the child said " + jvm.output());
  }

  void freeze() {
    jvm.freeze();
  }

  void kill() {
    jvm.kill();
  }

  @Override
  public void close() {
    jvm.close();
  }
}
