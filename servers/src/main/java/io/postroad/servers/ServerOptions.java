package io.postroad.servers;

import java.util.HashMap;
import java.util.Map;

/**
 * How a server of ours is started; ignored for a server that an environment variable points to.
 *
 * @param port the port on 127.0.0.1; default 0, any free one, so that builds can run side by side
 * @param settings lines for the server's own configuration file, on top of this module's; default
 *     none
 */
public record ServerOptions(int port, Map<String, String> settings) {
  public ServerOptions {
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException(
          "ServerOptions.port must be 0 (any free port) to 65535, got " + port);
    }
    settings = Map.copyOf(settings);
  }

  public static ServerOptions defaults() {
    return new ServerOptions(0, Map.of());
  }

  public ServerOptions withPort(int newPort) {
    return new ServerOptions(newPort, settings);
  }

  public ServerOptions withSetting(String name, String value) {
    Map<String, String> more = new HashMap<>(settings);
    more.put(name, value);
    return new ServerOptions(port, more);
  }
}
