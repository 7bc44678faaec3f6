package io.postroad.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How PostgreSQL is prepared, started and asked. */
final class LocalPostgres implements ServerRecipe {
  static final String USER = "postgres";

  private static final Set<String> NEVER_OFF = Set.of("fsync", "synchronous_commit");
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("listen_addresses", "127.0.0.1"),
          Map.entry("unix_socket_directories", ""),
          Map.entry("fsync", "on"),
          Map.entry("synchronous_commit", "on"),
          Map.entry("max_connections", "200"),
          Map.entry("shared_buffers", "256MB"),
          Map.entry("timezone", "UTC"),
          Map.entry("log_timezone", "UTC"),
          // Files in the data directory: a killed server leaves nothing in /dev/shm.
          Map.entry("dynamic_shared_memory_type", "mmap"));

  private final ServerOptions options;
  private final RunAs runAs;
  private final boolean standby;
  private final @Nullable PostgresAddress primary;
  private final Path binaries;

  LocalPostgres(ServerOptions options, RunAs runAs, boolean standby) {
    this(options, runAs, standby, null);
  }

  /** A standby that follows {@code primary}. */
  LocalPostgres(ServerOptions options, RunAs runAs, PostgresAddress primary) {
    this(options, runAs, true, primary);
  }

  private LocalPostgres(
      ServerOptions options, RunAs runAs, boolean standby, @Nullable PostgresAddress primary) {
    options.settings().forEach(LocalPostgres::check);
    this.options = options;
    this.runAs = runAs;
    this.standby = standby;
    this.primary = primary;
    this.binaries = PostgresBinaries.unpacked(runAs.cache());
  }

  private static void check(String name, String value) {
    if (NEVER_OFF.contains(name.toLowerCase(Locale.ROOT)) && !value.equals("on")) {
      throw new IllegalArgumentException(
          "PostgreSQL setting %s must be on, got %s; without it our tests would prove nothing"
              .formatted(name, value));
    }
  }

  @Override
  public String name() {
    return "PostgreSQL";
  }

  @Override
  public void prepare(ServerHome home) {
    PostgresData data = new PostgresData(runAs, binaries);
    if (primary == null) {
      data.create(home);
    } else {
      data.copy(home, primary);
    }
    if (standby) {
      data.makeStandby(home);
    }
  }

  @Override
  public void configure(ServerHome home, int port) {
    Map<String, String> all = new TreeMap<>(SETTINGS);
    all.putAll(options.settings());
    all.put("port", Integer.toString(port));
    if (primary != null) {
      all.put("primary_conninfo", primary.url().replaceFirst("^jdbc:", ""));
    }
    StringBuilder lines = new StringBuilder();
    all.forEach(
        (name, value) ->
            lines
                .append(name)
                .append(" = '")
                .append(value.replace("\\", "\\\\").replace("'", "''"))
                .append("'\n"));
    try {
      Files.writeString(home.data().resolve("postgresql.conf"), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<String> command(ServerHome home) {
    return runAs.command(
        List.of(binaries.resolve("bin/postgres").toString(), "-D", home.data().toString()));
  }

  @Override
  public boolean answers(int port) {
    return address(port).answers();
  }

  @Override
  public void verify(int port) {
    address(port).verify();
  }

  /** Fast shutdown: ends sessions, writes a checkpoint. */
  @Override
  public String stopSignal() {
    return "INT";
  }

  static PostgresAddress address(int port) {
    return PostgresAddress.local(port, USER);
  }
}
