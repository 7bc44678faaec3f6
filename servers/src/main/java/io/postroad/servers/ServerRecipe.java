package io.postroad.servers;

import java.util.List;

/** How one kind of server is prepared, started and asked; {@link LocalServer} does the rest. */
interface ServerRecipe {
  /** The server's name in messages, and in the name of its directory. */
  String name();

  /** Makes the data in an empty home; called once, before the first start. */
  void prepare(ServerHome home);

  /** Writes the configuration for this port; called again with another one if it was taken. */
  void configure(ServerHome home, int port);

  List<String> command(ServerHome home);

  /** Whether the server answers requests by now. */
  boolean answers(int port);

  /** Does what a server that answers still needs before it can be used. */
  default void makeReady(int port) {}

  /** Checks a server that answers, and fails if it is not what we asked for. */
  void verify(int port);

  /** The signal that asks for a clean shutdown, without the SIG. */
  String stopSignal();
}
