package io.postroad.servers;

/** Starts, stops and hurts a server of ours; refuses to do so to an external server. */
interface ServerControl extends AutoCloseable {
  void start();

  void stop();

  void kill();

  void freeze();

  void unfreeze();

  void restart();

  ServerState state();

  @Override
  void close();
}
