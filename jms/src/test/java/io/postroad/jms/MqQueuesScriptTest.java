package io.postroad.jms;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@code bin/mq-queues}. */
class MqQueuesScriptTest {
  private record Run(int code, String output) {}

  private static Run run(String... args) throws Exception {
    Path script = Path.of("../bin/mq-queues");
    assertThat(Files.isExecutable(script)).isTrue();
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(args));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Run(process.waitFor(), output);
  }

  @Test
  void queuesOfListsAndArgumentsAreDefinedOnceEach() throws Exception {
    assertThat(run("APP.CMD.A.Q, APP.CMD.REPLY.Q,\n ", "APP.CMD.B.Q", "APP.CMD.A.Q"))
        .isEqualTo(
            new Run(
                0,
                """
                DEFINE QLOCAL('APP.CMD.A.Q') MAXDEPTH(50000) REPLACE
                DEFINE QLOCAL('APP.CMD.REPLY.Q') MAXDEPTH(50000) REPLACE
                DEFINE QLOCAL('APP.CMD.B.Q') MAXDEPTH(50000) REPLACE
                """));
  }

  @Test
  void aBadNameIsRefusedAndNoQueueIsPrinted() throws Exception {
    for (String bad : List.of("A B", "A'B", "X".repeat(49))) {
      Run run = run("GOOD.Q," + bad);
      assertThat(run.code()).isEqualTo(1);
      assertThat(run.output()).contains(bad).doesNotContain("DEFINE");
    }
    assertThat(run().code()).isEqualTo(1);
    assertThat(run(" , ").code()).isEqualTo(1);
  }
}
