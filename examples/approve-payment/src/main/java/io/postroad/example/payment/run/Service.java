package io.postroad.example.payment.run;

import io.postroad.example.payment.ProducerApplication;
import io.postroad.servers.ChildJvm;
import io.postroad.servers.ChildJvmOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The application in a process of its own, which can be killed, and what asks it over HTTP. */
final class Service implements AutoCloseable {
  private static final Duration UP_WITHIN = Duration.ofSeconds(60);

  private final HttpClient http = HttpClient.newHttpClient();
  private final ChildJvm process;
  private final int port;

  private Service(ChildJvm process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Returns when it answers. */
  static Service start(Servers servers, int port) {
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
      String unused = process.awaitLine(line -> line.contains("Started Producer"), UP_WITHIN);
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

  /** By SIGKILL. */
  void kill() {
    process.kill();
  }

  @Override
  public void close() {
    process.close();
  }
}
