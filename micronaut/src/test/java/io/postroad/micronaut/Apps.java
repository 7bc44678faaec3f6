package io.postroad.micronaut;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.ApplicationContextBuilder;
import io.postroad.servers.MongoServer;
import io.postroad.servers.PostgresServer;
import java.util.HashMap;
import java.util.Map;

/** Applications on fresh databases of the shared servers. */
public final class Apps {
  private Apps() {}

  public static Map<String, Object> postgres(String url) {
    return Map.of(
        "datasources.default.url", url,
        "datasources.default.minimum-idle", 0,
        "datasources.default.maximum-pool-size", 25,
        "datasources.default.connection-timeout", 10_000,
        "postroad.store.schema-mode", "migrate");
  }

  public static Map<String, Object> freshPostgres(String name) {
    return postgres(PostgresServer.shared().createDatabase(name));
  }

  static Map<String, Object> freshMongo(String name) {
    return Map.of(
        "mongodb.uri", MongoServer.shared().connectionString(),
        "postroad.store.database", MongoServer.shared().freshDatabase(name),
        "postroad.store.schema-mode", "migrate");
  }

  /**
   * An application with these properties.
   *
   * @param more names and values, one after the other
   */
  public static ApplicationContextBuilder with(Map<String, Object> properties, Object... more) {
    Map<String, Object> all = new HashMap<>(properties);
    for (int i = 0; i < more.length; i += 2) {
      all.put((String) more[i], more[i + 1]);
    }
    return ApplicationContext.builder().properties(all);
  }
}
