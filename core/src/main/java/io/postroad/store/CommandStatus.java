package io.postroad.store;

import io.postroad.spi.CommandOutcome;

/** Where a command stands, in the words of its row. */
public enum CommandStatus {
  /** Waits for its turn, its due time, its retry, or a reply from elsewhere. */
  PENDING,
  /** A worker has taken it; it runs, or waits in that worker's memory. */
  PROCESSING,
  /** Its handler returned, and everything it did is committed. */
  COMPLETED,
  /** Failed, timed out or cancelled: {@link CommandOutcome#code()} says which. */
  FAILED;

  /** Whether nothing more becomes of it. */
  public boolean isFinished() {
    return this == COMPLETED || this == FAILED;
  }
}
