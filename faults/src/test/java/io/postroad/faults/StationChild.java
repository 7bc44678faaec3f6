package io.postroad.faults;

import io.postroad.servers.ChildJvm;
import io.postroad.servers.ChildJvmOptions;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** A {@link StationProcess} as a test sees it. */
final class StationChild implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Pattern TROUBLE = Pattern.compile("\\] (WARN|ERROR) ");
  private static final Pattern ERROR = Pattern.compile("\\] ERROR ");
  private static final Pattern OUR_TROUBLE = Pattern.compile("\\] (WARN|ERROR) io\\.postroad\\.");

  private final ChildJvm jvm;

  private StationChild(ChildJvm jvm) {
    this.jvm = jvm;
  }

  /** Starts one, whose clients log their warnings, and returns when it is at work. */
  static StationChild start(ConsumerArgs args) {
    ChildJvmOptions options =
        ChildJvmOptions.of(StationProcess.class)
            .withArgs(args.toArray())
            .withJvmArgs(
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-Dorg.slf4j.simpleLogger.log.org.apache.kafka=warn");
    StationChild child = new StationChild(ChildJvm.start(options));
    child.jvm.awaitLine(StationProcess.READY::equals, PATIENCE);
    return child;
  }

  /**
   * Figures that the process prints.
   *
   * @param heapBytes in use once everything that is not has been collected
   * @param repeated messages that came and had come before
   */
  record Figures(long heapBytes, int repeated) {}

  Figures figures() {
    jvm.sendLine("figures");
    String line = jvm.awaitLine(out -> out.startsWith(StationProcess.FIGURES), PATIENCE);
    String[] figures = line.substring(StationProcess.FIGURES.length()).split(" ");
    return new Figures(Long.parseLong(figures[0]), Integer.parseInt(figures[1]));
  }

  /**
   * Lines of its log so far, counted.
   *
   * @param ours warnings and errors of Postroad
   * @param others those of client libraries
   * @param errors those of them that are errors, whose ever they are
   * @param lines all of it, stack traces included
   */
  record Logged(int ours, int others, int errors, int lines) {}

  Logged logged() {
    List<String> lines =
        jvm.output().stream()
            .filter(line -> !line.startsWith(StationProcess.FIGURES))
            .filter(line -> !line.equals(StationProcess.READY))
            .toList();
    int all = count(lines, TROUBLE);
    int ours = count(lines, OUR_TROUBLE);
    return new Logged(ours, all - ours, count(lines, ERROR), lines.size());
  }

  private static int count(List<String> lines, Pattern wanted) {
    return (int) lines.stream().filter(line -> wanted.matcher(line).find()).count();
  }

  @Override
  public void close() {
    jvm.close();
  }
}
