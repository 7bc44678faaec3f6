package io.postroad.servers;

/** What {@link ManagedServer} offers, done to a server of ours or refused for somebody else's. */
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
