package io.postroad.servers;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Artemis broker: a real one in a JVM of its own, with its journal on the disk.
 *
 * <p>The broker that the environment variable {@code ARTEMIS_URL} points to (without encryption or
 * login), if it is set; else one of ours on 127.0.0.1, with a class path of its own. Queues are not
 * created by use: call {@link #declareQueue}. A broker of ours never gives up on a message, however
 * often it is delivered, and refuses large ones at addresses whose name ends in {@code .max-} and a
 * number of bytes.
 *
 * <p>Thread-safe. A killed or frozen broker keeps its queues and persistent messages; {@link
 * #close()} and the end of this JVM remove everything.
 */
public final class ArtemisServer extends ManagedServer {
  private static final String VARIABLE = "ARTEMIS_URL";

  private final Supplier<String> url;

  private ArtemisServer(ServerControl control, Supplier<String> url) {
    super(control);
    this.url = url;
  }

  /** A broker with the default options, not started. */
  public static ArtemisServer create() {
    return create(ServerOptions.defaults());
  }

  /**
   * A broker that is not started.
   *
   * @param options whose settings are broker properties of Artemis
   */
  public static ArtemisServer create(ServerOptions options) {
    @Nullable String url = System.getenv(VARIABLE);
    return url == null || url.isBlank() ? local(options) : external(url.strip());
  }

  /** A broker with the default options that answers. */
  public static ArtemisServer started() {
    ArtemisServer server = create();
    server.start();
    return server;
  }

  /**
   * The one broker that the tests of this JVM share, started on first use. Use queues of your own;
   * do not stop, hurt or close it.
   */
  public static ArtemisServer shared() {
    return Shared.SERVER;
  }

  static ArtemisServer local(ServerOptions options) {
    LocalServer server = new LocalServer(new LocalArtemis(options), options);
    return new ArtemisServer(server, () -> LocalArtemis.url(server.port()));
  }

  static ArtemisServer external(String url) {
    return new ArtemisServer(
        new ExternalServer(VARIABLE, () -> ArtemisClient.connect(url)), () -> url);
  }

  /** Returns the URL for connection factories; known after the first start. */
  public String url() {
    return url.get();
  }

  /**
   * Declares a durable queue.
   *
   * @param name of a queue that does not exist yet
   * @return the name
   */
  public String declareQueue(String name) {
    ArtemisClient.declareQueue(url(), name);
    return name;
  }

  private static final class Shared {
    static final ArtemisServer SERVER = started();
  }
}
