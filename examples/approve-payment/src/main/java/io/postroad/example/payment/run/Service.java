package io.postroad.example.payment.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.PostgresAndKafka;
import io.postroad.example.payment.ProducerApplication;
import io.postroad.servers.ChildJvmOptions;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.function.Consumer;

/** The application in its own process, and the requests of this example. */
record Service(Application application) implements AutoCloseable {
  /** Starts the application and waits until it answers. */
  static Service start(PostgresAndKafka servers, int port) {
    return start(servers, port, line -> {});
  }

  /**
   * Starts the application and waits until it answers.
   *
   * @param told receives each line that it prints until then
   */
  static Service start(PostgresAndKafka servers, int port, Consumer<String> told) {
    return new Service(
        Application.start(
            ChildJvmOptions.of(ProducerApplication.class)
                .withJvmArgs("-Xmx512m")
                .withArgs("--spring.main.banner-mode=off")
                .withEnvironment("DATABASE_URL", servers.jdbcUrl())
                .withEnvironment("KAFKA_BOOTSTRAP_SERVERS", servers.bootstrapServers()),
            port,
            "Started Producer",
            told));
  }

  /** Approves a payment of ten. */
  HttpResponse<String> approve(String paymentId, String userId)
      throws IOException, InterruptedException {
    return application.post(
        "/payments/approve",
        "{\"paymentId\":\"%s\",\"userId\":\"%s\",\"amount\":10.50,\"currency\":\"BRL\"}"
            .formatted(paymentId, userId));
  }

  @Override
  public void close() {
    application.close();
  }
}
