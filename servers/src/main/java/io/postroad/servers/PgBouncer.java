package io.postroad.servers;

import java.util.function.Function;

/**
 * A real PgBouncer in front of a PostgreSQL, which gives a connection to the server for one
 * transaction at a time. Needs the program {@code pgbouncer} on the machine.
 *
 * <p>Clients may give any user and password: all of them are the server's main user. Before version
 * 1.21 it does not follow prepared statements from one server connection to another.
 *
 * <p>Thread-safe. Close it before the server behind it.
 */
public final class PgBouncer extends ManagedServer {
  private final Function<String, PostgresAddress> through;

  private PgBouncer(ServerControl control, Function<String, PostgresAddress> through) {
    super(control);
    this.through = through;
  }

  /** A pooler with the default options that answers. */
  public static PgBouncer started(PostgresServer server) {
    return started(server, ServerOptions.defaults());
  }

  /**
   * A pooler that answers.
   *
   * @param options with settings for the section {@code [pgbouncer]}
   */
  public static PgBouncer started(PostgresServer server, ServerOptions options) {
    PostgresAddress behind = PostgresAddress.parse("jdbcUrl", server.jdbcUrl());
    LocalServer local =
        new LocalServer(new LocalPgBouncer(options, RunAs.detect(), behind), options);
    PgBouncer pooler =
        new PgBouncer(
            local,
            direct ->
                LocalPgBouncer.address(local.port(), PostgresAddress.parse("jdbcUrl", direct)));
    pooler.start();
    return pooler;
  }

  /**
   * The URL through this pooler.
   *
   * @param direct a URL of the server behind it
   */
  public String jdbcUrl(String direct) {
    return through.apply(direct).url();
  }
}
