package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ChildJvmTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @Test
  void itTalksAndReportsItsExitCode() {
    ChildJvmOptions options =
        ChildJvmOptions.of(EchoMain.class)
            .withArgs("7")
            .withJvmArgs("-XX:TieredStopAtLevel=1")
            .withEnvironment("POSTROAD_TEST_WORD", "word");
    try (ChildJvm child = ChildJvm.start(options)) {
      assertThat(child.awaitLine(line -> line.startsWith("ready"), SOON)).isEqualTo("ready 7 word");
      child.sendLine("a");
      child.sendLine("b");
      assertThat(child.awaitLine(line -> line.endsWith("b"), SOON)).isEqualTo("echo b");
      child.sendLine("exit");
      assertThat(child.awaitExit(SOON)).isEqualTo(7);
      assertThat(child.isAlive()).isFalse();
      child.awaitLine("leaving"::equals, SOON);
      assertThat(child.output()).containsSubsequence("ready 7 word", "echo a", "echo b", "leaving");
    }
  }

  @Test
  void itHasTheCompilerAndTheCollectorOfThisJvm() {
    try (ChildJvm child = ChildJvm.start(EchoMain.class, "0")) {
      child.awaitLine(line -> line.startsWith("ready"), SOON);
      child.sendLine("inherited");
      assertThat(child.awaitLine(line -> line.startsWith("inherited"), SOON))
          .isEqualTo("inherited " + JavaCommand.inherited());
    }
  }

  @Test
  void aFrozenOneGoesOnWhenUnfrozen() {
    try (ChildJvm child = ChildJvm.start(EchoMain.class, "0")) {
      child.awaitLine(line -> line.startsWith("ready"), SOON);
      child.freeze();
      assertThat(ProcessTable.isSuspended(child.pid())).isTrue();
      child.sendLine("x");
      child.unfreeze();
      child.awaitLine("echo x"::equals, SOON);
    }
  }

  @Test
  void killEndsAFrozenOne() {
    try (ChildJvm child = ChildJvm.start(EchoMain.class, "0")) {
      child.freeze();
      child.kill();
      assertThat(child.awaitExit(SOON)).isEqualTo(137);
      assertThatIllegalStateException()
          .isThrownBy(child::freeze)
          .withMessageContainingAll("cannot freeze", "ended with exit code 137");
    }
  }

  @Test
  void closeEndsItAndMayBeRepeated() {
    ChildJvm child = ChildJvm.start(EchoMain.class, "0");
    child.close();
    child.close();
    assertThat(child.awaitExit(SOON)).isEqualTo(137);
  }

  @Test
  void aLineThatNeverComesIsReportedWithWhatCameInstead() {
    try (ChildJvm child = ChildJvm.start(EchoMain.class, "3")) {
      child.sendLine("exit");
      assertThatThrownBy(() -> child.awaitLine("other"::equals, SOON))
          .isInstanceOf(ServerException.class)
          .hasMessageContainingAll("has not printed the expected line", "leaving");
    }
  }
}
