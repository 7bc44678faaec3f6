package io.postroad.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** How PgBouncer is prepared, started and asked. */
final class LocalPgBouncer implements ServerRecipe {
  private static final String CONFIGURATION = "pgbouncer.ini";

  /** Directory of the program on Debian, which is not on every search path. */
  private static final String SYSTEM = "/usr/sbin";

  private static final Map<String, String> SETTINGS =
      Map.of(
          "listen_addr", "127.0.0.1",
          "unix_socket_dir", "",
          "auth_type", "any",
          "pool_mode", "transaction",
          "default_pool_size", "10",
          // The driver sends it with every connection.
          "ignore_startup_parameters", "extra_float_digits");

  private final ServerOptions options;
  private final RunAs runAs;
  private final PostgresAddress behind;
  private final Path pgbouncer;

  LocalPgBouncer(ServerOptions options, RunAs runAs, PostgresAddress behind) {
    this.options = options;
    this.runAs = runAs;
    this.behind = behind;
    this.pgbouncer = installed(System.getenv().getOrDefault("PATH", ""), SYSTEM);
  }

  static Path installed(String searchPath, String otherwise) {
    return Stream.concat(Arrays.stream(searchPath.split(File.pathSeparator)), Stream.of(otherwise))
        .filter(directory -> !directory.isBlank())
        .map(directory -> Path.of(directory, "pgbouncer"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                new ServerException(
                    "pgbouncer is not on the PATH; install it with apt-get install pgbouncer"));
  }

  @Override
  public String name() {
    return "PgBouncer";
  }

  @Override
  public void prepare(ServerHome home) {
    runAs.own(home.directory());
  }

  @Override
  public void configure(ServerHome home, int port) {
    Map<String, String> all = new TreeMap<>(SETTINGS);
    all.putAll(options.settings());
    all.put("listen_port", Integer.toString(port));
    StringBuilder lines = new StringBuilder("[databases]\n* =");
    backend().forEach((name, value) -> lines.append(" %s='%s'".formatted(name, value)));
    lines.append("\n\n[pgbouncer]\n");
    all.forEach((name, value) -> lines.append(name + " = " + value + "\n"));
    try {
      Files.writeString(home.directory().resolve(CONFIGURATION), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, String> backend() {
    URI server = URI.create(behind.server().substring("jdbc:".length()));
    Map<String, String> backend = new TreeMap<>();
    backend.put("host", server.getHost());
    backend.put("port", Integer.toString(server.getPort() < 0 ? 5432 : server.getPort()));
    backend.put("user", behind.parameter("user"));
    if (!behind.parameter("password").isEmpty()) {
      backend.put("password", behind.parameter("password").replace("'", "''"));
    }
    return backend;
  }

  @Override
  public List<String> command(ServerHome home) {
    return runAs.command(
        List.of(pgbouncer.toString(), home.directory().resolve(CONFIGURATION).toString()));
  }

  @Override
  public boolean answers(int port) {
    return address(port, behind).answers();
  }

  @Override
  public void verify(int port) {
    address(port, behind).verify();
  }

  /** Ends at once; SIGINT would wait for clients to leave. */
  @Override
  public String stopSignal() {
    return "TERM";
  }

  static PostgresAddress address(int port, PostgresAddress direct) {
    return new PostgresAddress(
        "jdbc:postgresql://127.0.0.1:" + port, direct.database(), direct.parameters());
  }
}
