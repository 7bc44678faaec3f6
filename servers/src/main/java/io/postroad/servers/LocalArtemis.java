package io.postroad.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/** How an Artemis broker is prepared, started and asked. */
final class LocalArtemis implements ServerRecipe {
  private static final String BROKER = "io.postroad.servers.artemis.BrokerMain";
  private static final int CONNECTS_WITHIN_MILLIS = 1_000;

  private final ServerOptions options;
  private final String classPath = BrokerClassPath.ARTEMIS.read();
  private int port;

  LocalArtemis(ServerOptions options) {
    this.options = options;
  }

  static String url(int port) {
    return "tcp://127.0.0.1:" + port;
  }

  @Override
  public String name() {
    return "Artemis";
  }

  @Override
  public void prepare(ServerHome home) {
    try {
      Files.createDirectory(home.data());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void configure(ServerHome home, int newPort) {
    port = newPort;
    StringBuilder lines = new StringBuilder();
    new TreeMap<>(options.settings())
        .forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
    try {
      Files.writeString(properties(home), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<String> command(ServerHome home) {
    return JavaCommand.of(
        classPath,
        List.of("-Xmx512m", "-Dorg.slf4j.simpleLogger.showDateTime=true"),
        BROKER,
        List.of(Integer.toString(port), home.data().toString(), properties(home).toString()));
  }

  /** Its port opens when its journal is loaded and its queues are there. */
  @Override
  public boolean answers(int candidate) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), candidate),
          CONNECTS_WITHIN_MILLIS);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public void verify(int candidate) {
    ArtemisClient.connect(url(candidate));
  }

  @Override
  public String stopSignal() {
    return "TERM";
  }

  private static Path properties(ServerHome home) {
    return home.directory().resolve("broker.properties");
  }
}
