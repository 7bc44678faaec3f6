package io.postroad.example.payment.run;

import io.postroad.example.payment.ProducerApplication;
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

/** The application in a process of its own, which can be killed, and what asks it over HTTP. */
final class Service implements AutoCloseable {
  private static final Duration UP_WITHIN = Duration.ofSeconds(60);
  private static final Duration FOR_EVER = Duration.ofDays(10_000);

  private final HttpClient http = HttpClient.newHttpClient();
  private final ChildJvm process;
  private final int port;

  private Service(ChildJvm process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Returns when it answers. */
  static Service start(Servers servers, int port) {
    return start(servers, port, line -> {});
  }

  /**
   * Returns when it answers.
   *
   * @param told gets each line that it prints until then
   */
  static Service start(Servers servers, int port, Consumer<String> told) {
    long begun = System.nanoTime();
    ChildJvm process =
        ChildJvm.start(
            ChildJvmOptions.of(ProducerApplication.class)
                .withJvmArgs("-Xmx512m")
                .withArgs("--spring.main.banner-mode=off")
                .withEnvironment("APP_PORT", Integer.toString(port))
                .withEnvironment("DATABASE_URL", servers.jdbcUrl())
                .withEnvironment("KAFKA_BOOTSTRAP_SERVERS", servers.bootstrapServers()));
    try {
      String unused =
          process.awaitLine(
              line -> {
                told.accept(line);
                return line.contains("Started Producer");
              },
              UP_WITHIN);
    } catch (RuntimeException notUp) {
      process.close();
      throw notUp;
    }
    Narrator.say(
        "The application is up after %d s, as process %d."
            .formatted(Duration.ofNanos(System.nanoTime() - begun).toSeconds(), process.pid()));
    return new Service(process, port);
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException none) {
      throw new UncheckedIOException(none);
    }
  }

  String url(String path) {
    return "http://localhost:" + port + path;
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(URI.create(url(path))).GET().build());
  }

  HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(URI.create(url(path)))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build());
  }

  /** Approves a payment of ten. */
  HttpResponse<String> approve(String paymentId, String userId)
      throws IOException, InterruptedException {
    return post(
        "/payments/approve",
        "{\"paymentId\":\"%s\",\"userId\":\"%s\",\"amount\":10.50,\"currency\":\"BRL\"}"
            .formatted(paymentId, userId));
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** What it has printed. */
  String log() {
    return String.join("\n", process.output());
  }

  /** Passes on each line that it prints from now on, until it ends, and returns its exit code. */
  int follow(Consumer<String> told) {
    try {
      String unused =
          process.awaitLine(
              line -> {
                told.accept(line);
                return false;
              },
              FOR_EVER);
    } catch (ServerException ended) {
      // It prints no more.
    }
    return process.awaitExit(UP_WITHIN);
  }

  /** Has it stand still, until {@link #unfreeze} or {@link #kill}. */
  void freeze() {
    process.freeze();
  }

  void unfreeze() {
    process.unfreeze();
  }

  /** By SIGKILL. */
  void kill() {
    process.kill();
  }

  @Override
  public void close() {
    process.close();
  }
}
