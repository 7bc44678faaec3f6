package io.postroad.servers;

/**
 * A server that tests may start, stop and hurt.
 *
 * <table>
 * <caption>State, call, next state; every other pair is an {@link IllegalStateException}</caption>
 * <tr><td>STOPPED</td><td>start, restart</td><td>RUNNING</td></tr>
 * <tr><td>STOPPED</td><td>stop</td><td>STOPPED</td></tr>
 * <tr><td>RUNNING</td><td>stop, kill</td><td>STOPPED</td></tr>
 * <tr><td>RUNNING</td><td>restart</td><td>RUNNING</td></tr>
 * <tr><td>RUNNING</td><td>freeze</td><td>FROZEN</td></tr>
 * <tr><td>FROZEN</td><td>unfreeze</td><td>RUNNING</td></tr>
 * <tr><td>FROZEN</td><td>kill</td><td>STOPPED</td></tr>
 * <tr><td>any</td><td>close</td><td>CLOSED</td></tr>
 * </table>
 *
 * <p>Thread-safe: calls happen one after the other. The port and the data stay the same from the
 * first start to {@link #close()}. When this JVM ends, however it ends, the server is killed and
 * its data removed.
 *
 * <p>A server that an environment variable points to is not ours: start checks that it answers,
 * stop and close leave it alone, and kill, freeze, unfreeze and restart are refused.
 */
public abstract sealed class ManagedServer implements AutoCloseable
    permits PostgresServer, PgBouncer, MongoServer, KafkaServer, ArtemisServer {
  private final ServerControl control;

  ManagedServer(ServerControl control) {
    this.control = control;
  }

  /** Starts the server and returns when it answers. */
  public final void start() {
    control.start();
  }

  /** Shuts the server down cleanly and returns when its processes are gone. */
  public final void stop() {
    control.stop();
  }

  /** Ends every process of the server with SIGKILL and returns when they are gone. */
  public final void kill() {
    control.kill();
  }

  /** Suspends every process of the server and returns when none of them runs any more. */
  public final void freeze() {
    control.freeze();
  }

  /** Lets a frozen server go on. */
  public final void unfreeze() {
    control.unfreeze();
  }

  /** Starts the server again on the same port and data, after a clean stop if it runs. */
  public final void restart() {
    control.restart();
  }

  public final ServerState state() {
    return control.state();
  }

  /** Kills the server whatever its state and removes its data; closing twice is legal. */
  @Override
  public final void close() {
    control.close();
  }
}
