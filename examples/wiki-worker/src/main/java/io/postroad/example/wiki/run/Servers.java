package io.postroad.example.wiki.run;

import io.postroad.example.kit.Narrator;
import io.postroad.servers.MongoServer;
import io.postroad.servers.ServerOptions;

/** The MongoDB of this run: a replica set of one, or a standalone server without transactions. */
final class Servers implements AutoCloseable {
  private static final String VARIABLE = "OUTBOX_TRANSACTIONS";
  private static final String REQUIRED = "required";

  /**
   * Shortens transactions, because MongoDB does not notice a dead client, and its open transaction
   * blocks others.
   */
  private static final ServerOptions SHORT_TRANSACTIONS =
      ServerOptions.defaults().withSetting("setParameter.transactionLifetimeLimitSeconds", "5");

  private final MongoServer mongo;
  private final String transactions;
  private final String database;

  private Servers(MongoServer mongo, String transactions) {
    this.mongo = mongo;
    this.transactions = transactions;
    this.database = mongo.freshDatabase("wiki");
  }

  /** Starts the server that OUTBOX_TRANSACTIONS selects. */
  static Servers start() {
    String transactions = System.getenv().getOrDefault(VARIABLE, REQUIRED);
    boolean withTransactions = transactions.equalsIgnoreCase(REQUIRED);
    Narrator.say(
        "Starting MongoDB on this machine, %s."
            .formatted(
                withTransactions ? "as a replica set of one" : "standalone, without transactions"));
    MongoServer mongo =
        withTransactions
            ? MongoServer.create(SHORT_TRANSACTIONS)
            : MongoServer.standalone(ServerOptions.defaults());
    mongo.start();
    return new Servers(mongo, transactions);
  }

  /** Uses a running server, with a new database. The caller closes the server. */
  static Servers over(MongoServer mongo) {
    return new Servers(mongo, REQUIRED);
  }

  String uri() {
    return mongo.connectionString();
  }

  String database() {
    return database;
  }

  String transactions() {
    return transactions;
  }

  Stored stored() {
    return new Stored(uri(), database);
  }

  @Override
  public void close() {
    mongo.close();
  }
}
