package io.postroad.example.wiki.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Narrator;
import io.postroad.example.kit.Task;

/**
 * Runs {@code bin/example wiki-worker [--smoke [--kill]]}. Without arguments the application runs
 * until it is interrupted. Otherwise it is tried, and the exit code is 0 only if all checks passed.
 */
public final class Example {
  private static final int DEFAULT_PORT = 8080;

  private Example() {}

  public static void main(String[] args) throws Exception {
    Task.main(
        args,
        Servers::start,
        Example::serve,
        servers -> new SmokeRun(servers).holds(),
        servers -> new CrashRun(servers).holds());
  }

  /** Runs the application. Returns only if it ends by itself, which is a failure. */
  private static boolean serve(Servers servers) {
    try (Service service = Service.start(servers, Task.portOr(DEFAULT_PORT), Narrator::say)) {
      Application application = service.application();
      Narrator.say(
          """
          The wiki is at %s. Open it in a browser, or try:
            curl -i -X PUT -H 'Content-Type: application/json' -d '{"base_revision":0,"title":"Home","text":"Hello, reader","author":"ada"}' %s
            curl %s
            curl '%s'
            curl %s
            curl -s %s | grep '^outbox_'
          The database is %s at %s. Ctrl-C ends everything.\
          """
              .formatted(
                  application.url("/"),
                  application.url("/api/pages/home"),
                  application.url("/api/pages/home/revisions/1"),
                  application.url("/api/search?q=hello"),
                  application.url("/api/outbox/counts"),
                  application.url("/metrics"),
                  servers.database(),
                  servers.uri()));
      Narrator.say("The application ended with exit code " + application.follow(Narrator::say));
      return false;
    }
  }
}
