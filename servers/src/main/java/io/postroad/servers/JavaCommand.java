package io.postroad.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines for the Java that runs us. */
final class JavaCommand {
  private JavaCommand() {}

  static List<String> of(
      String classPath, List<String> jvmArgs, String mainClass, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmArgs);
    command.add("-classpath");
    command.add(classPath);
    command.add(mainClass);
    command.addAll(args);
    return command;
  }
}
