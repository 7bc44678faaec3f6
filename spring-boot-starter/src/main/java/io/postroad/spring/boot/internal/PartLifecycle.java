package io.postroad.spring.boot.internal;

import io.postroad.spring.boot.StartedByHand;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops a part of Postroad with the application. All parts start before the web server
 * and stop after it, so that messages of the last requests are still sent; a stop waits for the
 * work in flight, up to the part's {@code drainFor}.
 */
public final class PartLifecycle implements SmartLifecycle {
  /** The web server is at MAX_VALUE - 2048. */
  private static final int FIRST = Integer.MAX_VALUE - 4096;

  public static final int RELAY = FIRST;
  public static final int INBOX = FIRST + 1;
  public static final int COMMANDS = FIRST + 2;
  public static final int RECEIVERS = FIRST + 3;

  private final int phase;
  private final Runnable start;
  private final Runnable stop;
  private final boolean autoStartup;
  private volatile boolean running;

  public PartLifecycle(
      int phase, Runnable start, Runnable stop, ObjectProvider<StartedByHand> startedByHand) {
    this.autoStartup = startedByHand.getIfAvailable() == null;
    this.phase = phase;
    this.start = start;
    this.stop = stop;
  }

  @Override
  public void start() {
    start.run();
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    stop.run();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public boolean isAutoStartup() {
    return autoStartup;
  }

  @Override
  public int getPhase() {
    return phase;
  }
}
