package io.postroad.example.market.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.PostgresAndKafka;
import io.postroad.example.market.MarketApplication;
import io.postroad.servers.ChildJvmOptions;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.function.Consumer;

/** The application in a process of its own, and what this example asks of it. */
record Market(Application application) implements AutoCloseable {
  /** Returns when it answers. */
  static Market start(PostgresAndKafka servers, int port) {
    return start(servers, port, line -> {});
  }

  /**
   * Returns when it answers.
   *
   * @param told gets each line that it prints until then
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

  /** A deal of ten and a half. */
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
