package io.postroad.example.market.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.PostgresAndKafka;
import io.postroad.example.market.MarketApplication;
import io.postroad.servers.ChildJvmOptions;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.function.Consumer;

/** The application in its own process, and the requests of this example. */
record Market(Application application) implements AutoCloseable {
  /** Starts the application and waits until it answers. */
  static Market start(PostgresAndKafka servers, int port) {
    return start(servers, port, line -> {});
  }

  /**
   * Starts the application and waits until it answers.
   *
   * @param told receives each line that it prints until then
   */
  static Market start(PostgresAndKafka servers, int port, Consumer<String> told) {
    return new Market(
        Application.start(
            ChildJvmOptions.of(MarketApplication.class)
                .withJvmArgs("-Xmx512m")
                .withArgs("--spring.main.banner-mode=off")
                .withEnvironment("DATABASE_URL", servers.jdbcUrl())
                .withEnvironment("KAFKA_BOOTSTRAP_SERVERS", servers.bootstrapServers()),
            port,
            "Started MarketApplication",
            told));
  }

  /** Creates a deal with a price of 10.50. */
  HttpResponse<String> create(String dealId) throws IOException, InterruptedException {
    return application.post(
        "/deals",
        """
        {"dealId":"%s","advertiserId":"ada","channelId":"news","price":10.50,"currency":"EUR"}
        """
            .formatted(dealId));
  }

  HttpResponse<String> fund(String dealId) throws IOException, InterruptedException {
    return application.post("/deals/" + dealId + "/fund", "{\"amount\":10.50}");
  }

  HttpResponse<String> complete(String dealId) throws IOException, InterruptedException {
    return application.post("/deals/" + dealId + "/complete", "");
  }

  HttpResponse<String> cancel(String dealId) throws IOException, InterruptedException {
    return application.post("/deals/" + dealId + "/cancel", "{\"reason\":\"no room\"}");
  }

  @Override
  public void close() {
    application.close();
  }
}
