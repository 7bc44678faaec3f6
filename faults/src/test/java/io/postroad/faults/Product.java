package io.postroad.faults;

import io.postroad.servers.KafkaServer;
import io.postroad.servers.MongoServer;
import io.postroad.servers.PostgresServer;
import io.postroad.servers.ServerOptions;

/** The databases that a test runs on in turn, each on the server that all tests share. */
enum Product {
  POSTGRESQL {
    @Override
    Scene scene(StoreKind kind) throws Exception {
      return PostgresScene.of(kind, PostgresServer.shared(), KafkaServer.shared());
    }

    @Override
    HandlerDatabase handlerDatabase() {
      Length.needs(this);
      return new PostgresAddress(PostgresServer.shared().createDatabase("faults"));
    }
  },
  MONGODB {
    @Override
    Scene scene(StoreKind kind) {
      return MongoScene.of(kind, MongoServer.shared(), KafkaServer.shared());
    }

    @Override
    Scene sceneForKilledClients(StoreKind kind) {
      return MongoScene.of(kind, ShortTransactions.SERVER, KafkaServer.shared());
    }

    @Override
    HandlerDatabase handlerDatabase() {
      Length.needs(this);
      MongoServer server = ShortTransactions.SERVER;
      return new MongoAddress(server.connectionString(), server.freshDatabase("faults"));
    }

    @Override
    HandlerDatabase commandDatabase() {
      MongoServer server = MongoServer.shared();
      return new MongoAddress(server.connectionString(), server.freshDatabase("faults"));
    }
  };

  abstract Scene scene(StoreKind kind) throws Exception;

  /** A scene on a server that soon ends the transactions of a client that was killed. */
  Scene sceneForKilledClients(StoreKind kind) throws Exception {
    return scene(kind);
  }

  /** A fresh database for handlers that are killed in the middle of their transactions. */
  abstract HandlerDatabase handlerDatabase();

  /** The same on a server that lets transactions live for as long as it does by default. */
  HandlerDatabase commandDatabase() {
    return handlerDatabase();
  }

  /**
   * MongoDB does not see that a client is dead: its transactions hold what they wrote until then.
   */
  private static final class ShortTransactions {
    static final MongoServer SERVER =
        MongoServer.started(
            ServerOptions.defaults()
                .withSetting("setParameter.transactionLifetimeLimitSeconds", "3"));
  }
}
