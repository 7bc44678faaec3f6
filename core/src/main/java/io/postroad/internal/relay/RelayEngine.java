package io.postroad.internal.relay;

import io.postroad.outbox.RelayPass;

/** Runs a relay; one implementation per kind of store. Used under the lock of its relay. */
public interface RelayEngine {

  /** Starts the threads; called once. */
  void start();

  /** Returns whether all threads are alive. */
  boolean isAlive();

  /** Settles messages in flight and ends the threads; returns how many were not settled. */
  int stop();

  /** Runs one pass on the caller's thread and waits for its outcomes; not while started. */
  RelayPass runOnce();
}
