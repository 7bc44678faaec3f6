package io.postroad.servers;

import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL on which a commit is durable: {@code fsync} and {@code synchronous_commit} are on,
 * and checked at every start.
 *
 * <p>The server that the environment variable {@code POSTGRES_URL} points to, if it is set; else
 * one of ours from the binaries on the class path, on 127.0.0.1, for any user without a password.
 *
 * <p>Thread-safe. A killed or frozen server keeps what was committed; {@link #close()} and the end
 * of this JVM remove everything.
 */
public final class PostgresServer extends ManagedServer {
  private static final String VARIABLE = "POSTGRES_URL";
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,40}");

  private final Supplier<PostgresAddress> address;

  private PostgresServer(ServerControl control, Supplier<PostgresAddress> address) {
    super(control);
    this.address = address;
  }

  /** A server with the default options, not started. */
  public static PostgresServer create() {
    return create(ServerOptions.defaults());
  }

  /** A server that is not started. */
  public static PostgresServer create(ServerOptions options) {
    @Nullable String url = System.getenv(VARIABLE);
    return url == null || url.isBlank() ? local(options, RunAs.detect()) : external(url.strip());
  }

  /** A server with the default options that answers. */
  public static PostgresServer started() {
    return started(ServerOptions.defaults());
  }

  /** A server that answers. */
  public static PostgresServer started(ServerOptions options) {
    PostgresServer server = create(options);
    server.start();
    return server;
  }

  /**
   * The one server that the tests of this JVM share, started on first use. Take a database of your
   * own from it with {@link #createDatabase}; do not stop, hurt or close it.
   */
  public static PostgresServer shared() {
    return Shared.SERVER;
  }

  /**
   * Starts a hot standby of ours: in recovery for ever, because it follows no primary. It has the
   * databases of a new server.
   */
  public static PostgresServer startedStandby() {
    ServerOptions options = ServerOptions.defaults();
    LocalServer server = new LocalServer(new LocalPostgres(options, RunAs.detect(), true), options);
    server.start();
    return new PostgresServer(server, () -> LocalPostgres.address(server.port()));
  }

  /**
   * A hot standby of this server that answers: made from a base backup, it follows asynchronously.
   * Only of a server of ours.
   */
  public PostgresServer startedStandbyOfThis() {
    ServerOptions options = ServerOptions.defaults();
    LocalServer server =
        new LocalServer(new LocalPostgres(options, RunAs.detect(), address.get()), options);
    server.start();
    return new PostgresServer(server, () -> LocalPostgres.address(server.port()));
  }

  static PostgresServer local(ServerOptions options, RunAs runAs) {
    LocalServer server = new LocalServer(new LocalPostgres(options, runAs, false), options);
    return new PostgresServer(server, () -> LocalPostgres.address(server.port()));
  }

  static PostgresServer external(String url) {
    PostgresAddress address = PostgresAddress.parse(VARIABLE, url);
    return new PostgresServer(new ExternalServer(VARIABLE, address::verify), () -> address);
  }

  /** The URL of the main database, with the user in it; known after the first start. */
  public String jdbcUrl() {
    return address.get().url();
  }

  /** The URL of another database on this server. */
  public String jdbcUrl(String database) {
    return address.get().withDatabase(database).url();
  }

  public String user() {
    return address.get().parameter("user");
  }

  /** The password, empty if there is none. */
  public String password() {
    return address.get().parameter("password");
  }

  /**
   * Creates an empty database and returns its JDBC URL. On a server of ours it ends with the
   * server; on the one that POSTGRES_URL points to it stays until it is dropped.
   *
   * @param name the beginning of the database's name; a random end makes it new on any server
   */
  public String createDatabase(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "database name must match %s, got %s".formatted(NAME, name));
    }
    String database = "%s_%08x".formatted(name, ThreadLocalRandom.current().nextInt());
    try {
      address.get().execute("CREATE DATABASE " + database);
    } catch (SQLException e) {
      throw new ServerException(
          "cannot create database %s at %s: %s"
              .formatted(database, address.get().server(), e.getMessage()),
          e);
    }
    return jdbcUrl(database);
  }

  private static final class Shared {
    static final PostgresServer SERVER = started();
  }
}
