package io.postroad.example.wiki.run;

import io.postroad.example.kit.Application;
import io.postroad.example.wiki.WikiApplication;
import io.postroad.servers.ChildJvmOptions;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.function.Consumer;

/** The application in its own process, and the requests of this example. */
record Service(Application application) implements AutoCloseable {
  /** A short lease, so that the events of a killed process are soon claimed again. */
  private static final String LEASE_SECONDS = "5";

  private static final String RECONCILE_SECONDS = "5";

  /** Starts the application and waits until it answers. */
  static Service start(Servers servers, int port) {
    return start(servers, port, line -> {});
  }

  /**
   * Starts the application and waits until it answers.
   *
   * @param told receives each line that it prints until then
   */
  static Service start(Servers servers, int port, Consumer<String> told) {
    return new Service(
        Application.start(
            ChildJvmOptions.of(WikiApplication.class)
                .withEnvironment("MONGODB_URI", servers.uri())
                .withEnvironment("MONGODB_DATABASE", servers.database())
                .withEnvironment("OUTBOX_TRANSACTIONS", servers.transactions())
                .withEnvironment("OUTBOX_LEASE_SECONDS", LEASE_SECONDS)
                .withEnvironment("RECONCILE_SECONDS", RECONCILE_SECONDS),
            port,
            "wiki: started",
            told));
  }

  /** Saves a revision of a page. */
  HttpResponse<String> save(String page, long base, String text)
      throws IOException, InterruptedException {
    return application.send(
        "PUT",
        "/api/pages/" + page,
        "{\"base_revision\":%d,\"title\":\"Page %s\",\"text\":\"%s\",\"author\":\"ada\"}"
            .formatted(base, page, text));
  }

  @Override
  public void close() {
    application.close();
  }
}
