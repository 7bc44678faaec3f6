package io.postroad.internal.command;

/** The result of an attempt to {@link StepCommands#recall} a command. */
public enum Recall {
  /** The command was queued, has ended, and is never handled. */
  RECALLED,
  /** The command has ended here, but another service has its message and may still handle it. */
  SENT,
  /** A worker has the command, or another transaction is changing it; nothing was changed. */
  TAKEN,
  /** The command has ended, or has no row: it is unknown, or was handed off in memory. */
  GONE
}
