package io.postroad.command;

/** What became of an attempt to {@link CommandBus#recall} a command. */
public enum Recall {
  /** Nobody had taken it, and nobody will. */
  RECALLED,
  /** It has ended here, but it was sent to another service, which may handle it all the same. */
  SENT,
  /** A worker has it, or somebody is changing it: it may be running, and is left alone. */
  TAKEN,
  /** It has ended, or nobody knows it, or it is {@linkplain CommandBus#carry carried}. */
  GONE
}
