package io.postroad.servers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Options of a {@link ChildJvm}.
 *
 * @param mainClass the class whose {@code main} it runs
 * @param args for {@code main}; default none
 * @param jvmArgs for {@code java}, after the compiler and the collector of this JVM; default {@code
 *     -Xmx256m}, so that many fit on a small machine
 * @param environment variables on top of those of this JVM; default none
 */
public record ChildJvmOptions(
    String mainClass, List<String> args, List<String> jvmArgs, Map<String, String> environment) {
  public ChildJvmOptions {
    args = List.copyOf(args);
    jvmArgs = List.copyOf(jvmArgs);
    environment = Map.copyOf(environment);
  }

  public static ChildJvmOptions of(Class<?> main) {
    return new ChildJvmOptions(main.getName(), List.of(), List.of("-Xmx256m"), Map.of());
  }

  public ChildJvmOptions withArgs(String... newArgs) {
    return new ChildJvmOptions(mainClass, List.of(newArgs), jvmArgs, environment);
  }

  /** Adds arguments; of two that contradict each other, Java takes the later one. */
  public ChildJvmOptions withJvmArgs(String... moreArgs) {
    List<String> more = new ArrayList<>(jvmArgs);
    more.addAll(List.of(moreArgs));
    return new ChildJvmOptions(mainClass, args, more, environment);
  }

  public ChildJvmOptions withEnvironment(String name, String value) {
    Map<String, String> more = new HashMap<>(environment);
    more.put(name, value);
    return new ChildJvmOptions(mainClass, args, jvmArgs, more);
  }
}
