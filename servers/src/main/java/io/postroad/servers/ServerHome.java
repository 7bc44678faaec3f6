package io.postroad.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The temporary directory of one server and the watchdog that removes it.
 *
 * <p>Holds {@code data}, the server's configuration and {@code server.log}; gone when the home is
 * closed or this JVM ends.
 */
record ServerHome(Path directory, Watchdog watchdog) implements AutoCloseable {
  static ServerHome create(String server) {
    try {
      Path directory = Files.createTempDirectory("postroad-" + server + "-").toRealPath();
      return new ServerHome(directory, Watchdog.overTree(directory));
    } catch (IOException e) {
      throw new ServerException(
          "cannot create a directory for %s under %s; set -Djava.io.tmpdir to one that can be written"
              .formatted(server, System.getProperty("java.io.tmpdir")),
          e);
    }
  }

  Path data() {
    return directory.resolve("data");
  }

  Path log() {
    return directory.resolve("server.log");
  }

  @Override
  public void close() {
    watchdog.close();
  }
}
