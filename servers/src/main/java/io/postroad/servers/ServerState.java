package io.postroad.servers;

/** Where a {@link ManagedServer} is in its life. */
public enum ServerState {
  /** Not started yet, stopped or killed; its data, if any, is kept. */
  STOPPED,
  /** Started and answering, as far as this JVM caused it: a server that crashes stays here. */
  RUNNING,
  /** Every process of the server is suspended; its connections stay open and silent. */
  FROZEN,
  /** Ended for good, its data removed. */
  CLOSED
}
