package io.postroad.servers;

/** A server that an environment variable points to: used, but not started, stopped or hurt. */
final class ExternalServer implements ServerControl {
  private final String variable;
  private final Runnable check;
  private ServerState state = ServerState.STOPPED;

  /**
   * @param check fails if the server does not answer or is not what we need
   */
  ExternalServer(String variable, Runnable check) {
    this.variable = variable;
    this.check = check;
  }

  @Override
  public synchronized void start() {
    if (state != ServerState.STOPPED) {
      throw new IllegalStateException(
          "cannot start the server of %s: it is %s".formatted(variable, state));
    }
    check.run();
    state = ServerState.RUNNING;
  }

  @Override
  public synchronized void stop() {
    if (state == ServerState.RUNNING) {
      state = ServerState.STOPPED;
    }
  }

  @Override
  public void kill() {
    throw refusal("kill");
  }

  @Override
  public void freeze() {
    throw refusal("freeze");
  }

  @Override
  public void unfreeze() {
    throw refusal("unfreeze");
  }

  @Override
  public void restart() {
    throw refusal("restart");
  }

  @Override
  public synchronized ServerState state() {
    return state;
  }

  @Override
  public synchronized void close() {
    state = ServerState.CLOSED;
  }

  private IllegalStateException refusal(String call) {
    return new IllegalStateException(
        "refused to %s the server that %s points to: it is not ours; unset %s to run on one that is"
            .formatted(call, variable, variable));
  }
}
