package io.postroad.servers;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Command lines for the Java that runs us. A child has the compiler and the collector that this JVM
 * was started with: tests choose those that start fast, benchmarks keep the defaults.
 */
final class JavaCommand {
  private static final Predicate<String> INHERITED =
      Pattern.compile("-XX:(TieredStopAtLevel=\\d|[+-]Use\\w+GC)").asMatchPredicate();

  private JavaCommand() {}

  /** Returns the arguments of this JVM that children get, too. */
  static List<String> inherited() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(INHERITED)
        .toList();
  }

  static List<String> of(
      String classPath, List<String> jvmArgs, String mainClass, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(inherited());
    command.addAll(jvmArgs);
    command.add("-classpath");
    command.add(classPath);
    command.add(mainClass);
    command.addAll(args);
    return command;
  }
}
