package io.postroad.faults;

import io.postroad.servers.KafkaServer;
import io.postroad.servers.MongoServer;
import io.postroad.servers.PostgresServer;

/** The databases that a test runs on in turn, each on the server that all tests share. */
enum Product {
  POSTGRESQL {
    @Override
    Scene scene(StoreKind kind) throws Exception {
      return PostgresScene.of(kind, PostgresServer.shared(), KafkaServer.shared());
    }
  },
  MONGODB {
    @Override
    Scene scene(StoreKind kind) {
      return MongoScene.of(kind, MongoServer.shared(), KafkaServer.shared());
    }
  };

  abstract Scene scene(StoreKind kind) throws Exception;
}
