package io.postroad.demo;

import java.util.Timer;
import java.util.TimerTask;

/** Prints the counts of the ledger repeatedly, until it is closed. */
final class Progress implements AutoCloseable {
  private final Timer timer = new Timer("progress", true);

  static Progress start(Ledger ledger, Narrator narrator) {
    Progress progress = new Progress();
    TimerTask show =
        new TimerTask() {
          @Override
          public void run() {
            narrator.progress(ledger.now().progress());
          }
        };
    long millis = narrator.pace().toMillis();
    progress.timer.scheduleAtFixedRate(show, millis, millis);
    return progress;
  }

  @Override
  public void close() {
    timer.cancel();
  }
}
