package io.postroad.mongodb.internal.client;

import com.mongodb.client.MongoClient;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.MongoOptions;
import org.bson.Document;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the server before a store is opened: refuses what cannot work, warns of what should not.
 */
public final class ServerCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ServerCheck.class);
  private static final int OLDEST = 6;

  private ServerCheck() {}

  public static void run(MongoClient client, MongoOptions options) {
    Database.call(
        "open the outbox",
        () -> {
          Document build = client.getDatabase("admin").runCommand(new Document("buildInfo", 1));
          Document hello = client.getDatabase("admin").runCommand(new Document("hello", 1));
          check(
              new Server(
                  build.getString("version"),
                  hello.containsKey("setName") || "isdbgrid".equals(hello.getString("msg"))),
              options);
          return true;
        });
  }

  /** The settings of a server. */
  record Server(String version, boolean hasTransactions) {}

  static void check(Server server, MongoOptions options) {
    if (Integer.parseInt(server.version().split("\\.", 2)[0]) < OLDEST) {
      throw new PostroadException(
          "MongoDB must be version 6.0 or newer, this server is %s; upgrade it"
              .formatted(server.version()));
    }
    if (options.transactionMode() == MongoOptions.TransactionMode.NONE) {
      LOG.warn(
          "mongodb: no-transaction mode is declared: a crash between your write and append loses"
              + " the message until a Reconciler finds it missing; database={}",
          options.database());
    } else if (!server.hasTransactions()) {
      throw new PostroadException(
          "this MongoDB server is standalone, so it has no transactions and append could not commit"
              + " together with your data. A replica set of one is enough: start mongod with"
              + " --replSet rs0 and run rs.initiate() once in mongosh. Or declare the"
              + " no-transaction mode with MongoOptions.withTransactionMode(TransactionMode.NONE)"
              + " and register a Reconciler");
    }
  }
}
