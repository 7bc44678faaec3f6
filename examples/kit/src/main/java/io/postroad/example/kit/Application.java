package io.postroad.example.kit;

import io.postroad.servers.ChildJvm;
import io.postroad.servers.ChildJvmOptions;
import io.postroad.servers.ServerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Runs an example's application in its own process, which can be killed, and sends HTTP requests to
 * it. Thread-safe, except {@link #follow}.
 */
public final class Application implements AutoCloseable {
  private static final Duration UP_WITHIN = Duration.ofSeconds(60);
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);
  private static final Duration FOR_EVER = Duration.ofDays(10_000);

  private final HttpClient http = HttpClient.newHttpClient();
  private final ChildJvm process;
  private final int port;

  private Application(ChildJvm process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts an application and waits until it answers.
   *
   * @param port the port of the application, which gets it as {@code APP_PORT}
   * @param ready a part of the line that the application prints when it is up
   */
  public static Application start(ChildJvmOptions options, int port, String ready) {
    return start(options, port, ready, line -> {});
  }

  /**
   * Starts an application and waits until it answers.
   *
   * @param told receives each line that the application prints until then
   */
  public static Application start(
      ChildJvmOptions options, int port, String ready, Consumer<String> told) {
    long begun = System.nanoTime();
    ChildJvm process = ChildJvm.start(options.withEnvironment("APP_PORT", Integer.toString(port)));
    try {
      String unused =
          process.awaitLine(
              line -> {
                told.accept(line);
                return line.contains(ready);
              },
              UP_WITHIN);
    } catch (RuntimeException notUp) {
      process.close();
      throw notUp;
    }
    Narrator.say(
        "The application is up after %d s, as process %d."
            .formatted(Duration.ofNanos(System.nanoTime() - begun).toSeconds(), process.pid()));
    return new Application(process, port);
  }

  /** Returns a free port. */
  public static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException none) {
      throw new UncheckedIOException(none);
    }
  }

  public String url(String path) {
    return "http://localhost:" + port + path;
  }

  public HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(request(path).GET());
  }

  public HttpResponse<String> post(String path, String json)
      throws IOException, InterruptedException {
    return send("POST", path, json);
  }

  /** Sends a request with a JSON body. */
  public HttpResponse<String> send(String method, String path, String json)
      throws IOException, InterruptedException {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(json)));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url(path))).timeout(ANSWERS_WITHIN);
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Returns the output of the application. */
  public String log() {
    return String.join("\n", process.output());
  }

  /**
   * Passes on each further line of output until the application ends, and returns its exit code.
   */
  public int follow(Consumer<String> told) {
    try {
      String unused =
          process.awaitLine(
              line -> {
                told.accept(line);
                return false;
              },
              FOR_EVER);
    } catch (ServerException ended) {
      // The application has ended.
    }
    return process.awaitExit(UP_WITHIN);
  }

  /** Suspends the application until {@link #unfreeze} or {@link #kill}. */
  public void freeze() {
    process.freeze();
  }

  public void unfreeze() {
    process.unfreeze();
  }

  /** Kills the application with SIGKILL. */
  public void kill() {
    process.kill();
  }

  @Override
  public void close() {
    process.close();
  }
}
