package io.postroad.benchmarks.commands;

/** Somebody who accepts commands and handles them. */
interface CommandContender extends AutoCloseable {

  String name();

  /** Accepts so many commands, each in a transaction of its own; nothing is handled yet. */
  void accept(int commands) throws Exception;

  /** Handles all that were accepted, and returns when the last one is committed. */
  void handleAll() throws Exception;

  @Override
  void close();
}
