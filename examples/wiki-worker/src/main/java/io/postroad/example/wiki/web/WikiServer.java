package io.postroad.example.wiki.web;

import com.sun.net.httpserver.HttpServer;
import io.postroad.example.wiki.store.Wiki;
import io.postroad.example.wiki.work.Editor;
import io.postroad.message.JsonCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The HTTP server of the JDK, with some threads and all routes. */
public final class WikiServer implements AutoCloseable {
  private static final int THREADS = 16;
  private static final int DRAIN_SECONDS = 1;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  private WikiServer(HttpServer server, Router router) {
    this.server = server;
    server.setExecutor(threads);
    server.createContext("/", router);
  }

  /** Listens on a port; 0 for any. */
  public static WikiServer start(
      int port, JsonCodec codec, Editor editor, Wiki wiki, Operations operations) {
    try {
      WikiServer server =
          new WikiServer(
              HttpServer.create(new InetSocketAddress(port), 0),
              router(new Json(codec), editor, wiki, operations));
      server.server.start();
      return server;
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot listen on port " + port, failed);
    }
  }

  private static Router router(Json json, Editor editor, Wiki wiki, Operations operations)
      throws IOException {
    Router router = new Router(json);
    OutboxApi outbox =
        new OutboxApi(json, operations.outbox(), operations.admin(), operations.sweeper());
    Rendering rendering = new Rendering(operations.admin());
    String style = resource("/style.css");
    router.on("GET", "/style.css", request -> Reply.of(200, "text/css", style));
    new WikiPages(editor, wiki, rendering).addTo(router);
    new OutboxPages(outbox).addTo(router);
    new WikiApi(json, editor, wiki, rendering, InstantSource.system()).addTo(router);
    outbox.addTo(router);
    new HealthApi(json, operations).addTo(router);
    return router;
  }

  private static String resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(WikiServer.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(DRAIN_SECONDS);
    threads.shutdownNow();
  }
}
