package io.postroad.servers;

import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server of ours: the states of {@link ManagedServer}, and the processes behind them. */
final class LocalServer implements ServerControl {
  private static final Duration STARTS_WITHIN = Duration.ofSeconds(90);
  private static final Duration STOPS_WITHIN = Duration.ofSeconds(60);
  private static final int PORTS_TO_TRY = 5;

  private final ServerRecipe recipe;
  private final ServerOptions options;
  private final ServerHome home;
  private ServerState state = ServerState.STOPPED;
  private boolean prepared;
  private int port;
  private ServerLog log;
  private @Nullable GuardedProcess process;

  LocalServer(ServerRecipe recipe, ServerOptions options) {
    this.recipe = recipe;
    this.options = options;
    this.home = ServerHome.create(recipe.name());
    this.log = ServerLog.from(home.log());
  }

  /** The port, which is known once the server has started for the first time. */
  synchronized int port() {
    if (port == 0) {
      throw new IllegalStateException(
          "%s has no port before its first start; call start()".formatted(recipe.name()));
    }
    return port;
  }

  @Override
  public synchronized void start() {
    require("start", ServerState.STOPPED);
    if (!prepared) {
      recipe.prepare(home);
      prepared = true;
    }
    if (port == 0) {
      launchOnFreePort();
    } else {
      launch(port);
    }
  }

  @Override
  public synchronized void stop() {
    require("stop", ServerState.RUNNING, ServerState.STOPPED);
    if (state == ServerState.RUNNING) {
      GuardedProcess running = living();
      Signals.send(recipe.stopSignal(), List.of(running.pid()));
      if (!running.awaitExit(STOPS_WITHIN)) {
        throw new ServerException(
            "%s got SIG%s but has not stopped within %s; kill() ends it; %s"
                .formatted(recipe.name(), recipe.stopSignal(), STOPS_WITHIN, log.tail()));
      }
      state = ServerState.STOPPED;
    }
  }

  @Override
  public synchronized void kill() {
    require("kill", ServerState.RUNNING, ServerState.FROZEN);
    killTree(living());
    state = ServerState.STOPPED;
  }

  @Override
  public synchronized void freeze() {
    require("freeze", ServerState.RUNNING);
    Signals.suspendTree(living().pid());
    state = ServerState.FROZEN;
  }

  @Override
  public synchronized void unfreeze() {
    require("unfreeze", ServerState.FROZEN);
    Signals.send("CONT", ProcessTable.tree(living().pid()));
    state = ServerState.RUNNING;
  }

  @Override
  public synchronized void restart() {
    require("restart", ServerState.RUNNING, ServerState.STOPPED);
    if (hasLivingProcess()) {
      stop();
    }
    state = ServerState.STOPPED;
    start();
  }

  @Override
  public synchronized ServerState state() {
    return state;
  }

  @Override
  public synchronized void close() {
    if (state != ServerState.CLOSED) {
      state = ServerState.CLOSED;
      home.close();
    }
  }

  private void launchOnFreePort() {
    int tries = options.port() == 0 ? PORTS_TO_TRY : 1;
    for (int attempt = 1; ; attempt++) {
      int candidate = options.port() == 0 ? FreePort.find() : options.port();
      try {
        launch(candidate);
        port = candidate;
        return;
      } catch (ServerException e) {
        // Another process took the port between our check and the server's bind.
        if (attempt == tries || !log.contains("Address already in use")) {
          throw e;
        }
      }
    }
  }

  private void launch(int candidate) {
    recipe.configure(home, candidate);
    log = ServerLog.from(home.log());
    GuardedProcess started =
        GuardedProcess.start(
            new ProcessBuilder(recipe.command(home))
                .directory(home.directory().toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(home.log().toFile())),
            home.watchdog());
    process = started;
    try {
      Await.until(
          STARTS_WITHIN,
          () -> !started.isAlive() || recipe.answers(candidate),
          () ->
              "%s does not answer on port %d after %s; %s"
                  .formatted(recipe.name(), candidate, STARTS_WITHIN, log.tail()));
      living();
      recipe.makeReady(candidate);
      recipe.verify(candidate);
      state = ServerState.RUNNING;
    } finally {
      if (state != ServerState.RUNNING) {
        killTree(started);
      }
    }
  }

  private static void killTree(GuardedProcess victim) {
    if (victim.isAlive()) {
      Signals.kill(Signals.suspendTree(victim.pid()));
    }
    victim.awaitExit(STOPS_WITHIN);
  }

  private boolean hasLivingProcess() {
    if (process == null) {
      return false;
    }
    if (ProcessTable.isGone(process.pid())) {
      // It has ended, but this JVM may not have reaped it yet and would still call it alive.
      process.awaitExit(STOPS_WITHIN);
    }
    return process.isAlive();
  }

  /** The server's process, which may have ended without our doing. */
  private GuardedProcess living() {
    if (process == null || !hasLivingProcess()) {
      throw new ServerException(
          "%s has ended by itself%s; restart() starts it again; %s"
              .formatted(
                  recipe.name(),
                  process == null ? "" : " with exit code " + process.process().exitValue(),
                  log.tail()));
    }
    return process;
  }

  private void require(String call, ServerState... legal) {
    if (!Arrays.asList(legal).contains(state)) {
      throw new IllegalStateException(
          "cannot %s %s: it is %s, which must be one of %s"
              .formatted(call, recipe.name(), state, Arrays.toString(legal)));
    }
  }
}
