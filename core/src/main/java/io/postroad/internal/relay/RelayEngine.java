package io.postroad.internal.relay;

import io.postroad.outbox.RelayPass;

/** What drives a relay: one kind per kind of store. Used under the lock of its relay. */
public interface RelayEngine {

  /** Starts the threads; called once. */
  void start();

  /** Whether all threads are alive. */
  boolean isAlive();

  /** Ends the threads after what is in flight was settled; how many messages were not. */
  int stop();

  /** One pass on the caller's thread and the outcomes of all that it sent; not while started. */
  RelayPass runOnce();
}
