package io.postroad.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandOptions;
import io.postroad.inbox.InboxOptions;
import io.postroad.internal.loop.NodeName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeNameTest {

  /** Prints the name that its JVM gives to a relay. */
  static final class Printer {
    private Printer() {}

    public static void main(String[] args) {
      System.out.println(withoutPid(RelayOptions.defaults().name()));
    }
  }

  /** In containers every JVM may have the process id 1. */
  private static String withoutPid(String name) {
    return name.replace("-" + ProcessHandle.current().pid(), "-1");
  }

  @Test
  void twoStartsOnOneHostHaveDifferentNamesEvenWithOneProcessId() throws Exception {
    Set<String> names = new HashSet<>(List.of(printed(), printed()));
    names.add(withoutPid(RelayOptions.defaults().name()));

    assertThat(names).hasSize(3);
  }

  @Test
  void everyDefaultNameOfAnOwnerIsUnique() {
    String ofThisStart = NodeName.of("");
    assertThat(
            List.of(
                RelayOptions.defaults().name(),
                WorkerOptions.defaults().relay().name(),
                CommandOptions.defaults().name(),
                InboxOptions.defaults().name(),
                InboxOptions.defaults().retries().name()))
        .doesNotHaveDuplicates()
        .allSatisfy(name -> assertThat(name).contains(ofThisStart).hasSizeLessThan(70));
  }

  private static String printed() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                Printer.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String name = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return name.strip();
  }
}
