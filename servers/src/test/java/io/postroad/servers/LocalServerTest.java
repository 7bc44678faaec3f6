package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LocalServerTest {
  private static final Map<String, Consumer<LocalServer>> CALLS =
      Map.of(
          "start", LocalServer::start,
          "stop", LocalServer::stop,
          "kill", LocalServer::kill,
          "freeze", LocalServer::freeze,
          "unfreeze", LocalServer::unfreeze,
          "restart", LocalServer::restart);

  private static final Map<ServerState, Set<String>> LEGAL =
      Map.of(
          ServerState.STOPPED, Set.of("start", "stop", "restart"),
          ServerState.RUNNING, Set.of("stop", "kill", "freeze", "restart"),
          ServerState.FROZEN, Set.of("kill", "unfreeze"),
          ServerState.CLOSED, Set.of());

  private static void bring(LocalServer server, ServerState state) {
    switch (state) {
      case STOPPED -> {}
      case RUNNING -> server.start();
      case FROZEN -> {
        server.start();
        server.freeze();
      }
      case CLOSED -> server.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void illegalCallsAreRefusedAndChangeNothing(ServerState state) {
    try (LocalServer server = sleeper(SleepRecipe.SLEEP)) {
      bring(server, state);
      List<String> illegal = new ArrayList<>(CALLS.keySet());
      illegal.removeAll(LEGAL.getOrDefault(state, Set.of()));

      for (String call : illegal) {
        assertThatIllegalStateException()
            .as(call)
            .isThrownBy(() -> CALLS.getOrDefault(call, s -> {}).accept(server))
            .withMessageStartingWith("cannot " + call + " Sleeper: it is " + state);
        assertThat(server.state()).isEqualTo(state);
      }
    }
  }

  @Test
  void legalCallsLeadToTheDocumentedStates() {
    try (LocalServer server = sleeper(SleepRecipe.SLEEP)) {
      after(server, "stop", ServerState.STOPPED);
      after(server, "start", ServerState.RUNNING);
      after(server, "freeze", ServerState.FROZEN);
      after(server, "unfreeze", ServerState.RUNNING);
      after(server, "freeze", ServerState.FROZEN);
      after(server, "kill", ServerState.STOPPED);
      after(server, "restart", ServerState.RUNNING);
      after(server, "restart", ServerState.RUNNING);
      after(server, "kill", ServerState.STOPPED);
      after(server, "start", ServerState.RUNNING);
      after(server, "stop", ServerState.STOPPED);
      server.close();
      server.close();
      assertThat(server.state()).isEqualTo(ServerState.CLOSED);
    }
  }

  private static void after(LocalServer server, String call, ServerState expected) {
    CALLS.getOrDefault(call, s -> {}).accept(server);
    assertThat(server.state()).as("after " + call).isEqualTo(expected);
  }

  @Test
  void freezeSuspendsEveryProcessAndUnfreezeResumesThem() {
    SleepRecipe recipe = new SleepRecipe(SleepRecipe.SLEEP);
    try (LocalServer server = new LocalServer(recipe, ServerOptions.defaults())) {
      server.start();
      Set<Long> tree = ProcessTable.tree(recipe.pid());
      assertThat(tree).hasSize(3);

      server.freeze();
      assertThat(tree).allMatch(ProcessTable::isSuspended).noneMatch(ProcessTable::isGone);

      server.unfreeze();
      Await.until(
          Duration.ofSeconds(10),
          () -> tree.stream().noneMatch(ProcessTable::isSuspended),
          () -> "still suspended: " + tree);
    }
  }

  @Test
  void killEndsEveryProcess() {
    SleepRecipe recipe = new SleepRecipe(SleepRecipe.SLEEP);
    try (LocalServer server = new LocalServer(recipe, ServerOptions.defaults())) {
      server.start();
      Set<Long> tree = ProcessTable.tree(recipe.pid());
      server.kill();
      assertThat(tree).hasSize(3).allMatch(ProcessTable::isGone);
    }
  }

  @Test
  void closeEndsAFrozenServerAndRemovesItsFiles() {
    SleepRecipe recipe = new SleepRecipe(SleepRecipe.SLEEP);
    LocalServer server = new LocalServer(recipe, ServerOptions.defaults());
    server.start();
    server.freeze();
    Set<Long> tree = ProcessTable.tree(recipe.pid());
    assertThat(recipe.home()).isDirectory();

    server.close();

    ProcessProbe.awaitGone(tree);
    assertThat(recipe.home()).doesNotExist();
  }

  @Test
  void closeEndsProcessesThatLostTheirParent() {
    SleepRecipe recipe = new SleepRecipe(SleepRecipe.SLEEP);
    LocalServer server = new LocalServer(recipe, ServerOptions.defaults());
    server.start();
    server.freeze();
    Set<Long> orphans = ProcessTable.tree(recipe.pid());
    Signals.kill(Set.of(recipe.pid()));
    orphans.remove(recipe.pid());

    server.close();

    ProcessProbe.awaitGone(orphans);
  }

  @Test
  void aFailedFirstStartCanBeRepeatedOnTheSameData() {
    SleepRecipe recipe = new SleepRecipe("if [ %d = 1 ]; then exit 1; fi; " + SleepRecipe.SLEEP);
    try (LocalServer server = new LocalServer(recipe, ServerOptions.defaults())) {
      assertThatThrownBy(server::start).isInstanceOf(ServerException.class);
      server.start();
      assertThat(recipe.preparations()).isEqualTo(1);
    }
  }

  @Test
  void aServerThatEndsWhileStartingIsReportedWithItsLog() {
    try (LocalServer server = sleeper("echo out of luck; exit 3")) {
      assertThatThrownBy(server::start)
          .isInstanceOf(ServerException.class)
          .hasMessageContainingAll("Sleeper has ended by itself with exit code 3", "out of luck");
      assertThat(server.state()).isEqualTo(ServerState.STOPPED);
    }
  }

  @Test
  void aServerThatCrashedIsReportedAndCanBeRestarted() {
    SleepRecipe recipe = new SleepRecipe(SleepRecipe.SLEEP);
    try (LocalServer server = new LocalServer(recipe, ServerOptions.defaults())) {
      server.start();
      Signals.kill(Set.of(recipe.pid()));
      assertThatThrownBy(server::freeze)
          .isInstanceOf(ServerException.class)
          .hasMessageContaining("ended by itself with exit code 137; restart() starts it again");

      server.restart();

      assertThat(server.state()).isEqualTo(ServerState.RUNNING);
    }
  }

  @Test
  void aTakenPortIsReplacedOnTheFirstStart() {
    SleepRecipe recipe =
        new SleepRecipe(
            "if [ %d = 1 ]; then echo Address already in use; exit 1; fi; " + SleepRecipe.SLEEP);
    try (LocalServer server = new LocalServer(recipe, ServerOptions.defaults())) {
      server.start();
      assertThat(recipe.ports).hasSize(2).doesNotHaveDuplicates().contains(server.port());
    }
  }

  @Test
  void aTakenPortThatWasAskedForIsAnError() {
    SleepRecipe recipe = new SleepRecipe("echo Address already in use; exit 1");
    try (LocalServer server =
        new LocalServer(recipe, ServerOptions.defaults().withPort(FreePort.find()))) {
      assertThatThrownBy(server::start).hasMessageContaining("Address already in use");
      assertThat(recipe.ports).hasSize(1);
    }
  }

  private static LocalServer sleeper(String script) {
    return new LocalServer(new SleepRecipe(script), ServerOptions.defaults());
  }
}
