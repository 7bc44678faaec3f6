package io.postroad.example.wiki.run;

import io.postroad.example.kit.Application;
import io.postroad.example.wiki.WikiApplication;
import io.postroad.servers.ChildJvmOptions;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.function.Consumer;

/** The application in a process of its own, and what this example asks of it. */
record Service(Application application) implements AutoCloseable {
  /** Short, so that what a killed process had in its hands is taken over soon. */
  private static final String LEASE_SECONDS = "5";

  private static final String RECONCILE_SECONDS = "5";

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
