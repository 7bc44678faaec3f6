package io.postroad.benchmarks.commands;

/** Accepts commands and handles them. */
interface CommandContender extends AutoCloseable {

  String name();

  /** Accepts a number of commands, each in its own transaction; none is handled yet. */
  void accept(int commands) throws Exception;

  /** Handles all accepted commands, and returns when the last one is committed. */
  void handleAll() throws Exception;

  @Override
  void close();
}
