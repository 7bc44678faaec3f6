package io.postroad.spring.boot;

import io.postroad.servers.MongoServer;
import io.postroad.servers.PostgresServer;

/** Properties of an application on a fresh database of the shared servers. */
public final class TestDatabases {
  private TestDatabases() {}

  public static String[] postgres(String name) {
    return new String[] {
      "spring.datasource.url=" + PostgresServer.shared().createDatabase(name),
      "spring.datasource.hikari.minimum-idle=0",
      "spring.datasource.hikari.connection-timeout=10000",
      "postroad.store.type=postgres",
      "postroad.store.schema-mode=migrate"
    };
  }

  public static String[] mongo(String name) {
    MongoServer server = MongoServer.shared();
    return new String[] {
      "spring.mongodb.uri=" + server.connectionString(),
      "spring.mongodb.database=" + server.freshDatabase(name),
      "postroad.store.type=mongodb",
      "postroad.store.schema-mode=migrate"
    };
  }
}
