package io.postroad.micronaut.guide;

import io.postroad.servers.ArtemisServer;
import io.postroad.servers.PostgresServer;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** A fresh database on the shared server, as the environment variables of the guide name it. */
final class GuideDatabase {
  private GuideDatabase() {}

  static Map<String, String> fresh(String name) {
    URI url = URI.create(PostgresServer.shared().createDatabase(name).substring("jdbc:".length()));
    Map<String, String> variables = new HashMap<>();
    variables.put("POSTGRES_HOST", url.getHost());
    variables.put("POSTGRES_PORT", String.valueOf(url.getPort()));
    variables.put("POSTGRES_DB", url.getPath().substring(1));
    if (url.getRawQuery() != null) {
      for (String parameter : url.getRawQuery().split("&", -1)) {
        String[] parts = parameter.split("=", 2);
        String value = URLDecoder.decode(parts[1], StandardCharsets.UTF_8);
        switch (parts[0]) {
          case "user" -> variables.put("POSTGRES_USER", value);
          case "password" -> variables.put("POSTGRES_PASSWORD", value);
          default -> {}
        }
      }
    }
    variables.put("HIKARI_MAX_POOL_SIZE", "20");
    variables.put("HIKARI_MIN_IDLE", "0");
    addQueues(variables);
    return variables;
  }

  /** The guide's queue, on a broker that runs here: the application looks for it at the start. */
  private static void addQueues(Map<String, String> variables) {
    variables.put("test.jms", "true");
    variables.put("test.jms.url", Broker.SHARED.url());
  }

  /** Declares the queue once for all tests. */
  private static final class Broker {
    static final ArtemisServer SHARED = withTheQueue();

    private static ArtemisServer withTheQueue() {
      ArtemisServer broker = ArtemisServer.shared();
      broker.declareQueue("APP.CMD.MYCOMMAND.Q");
      return broker;
    }
  }
}
