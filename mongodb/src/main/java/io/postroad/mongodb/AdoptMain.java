package io.postroad.mongodb;

import com.mongodb.ConnectionString;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.postroad.layout.Adoption;
import io.postroad.message.PostroadException;
import java.io.PrintStream;

/**
 * Prints how Postroad would run on a collection: {@code AdoptMain <connection string with database>
 * <collection>}. Changes nothing. Exit code 0: it can; 1: it cannot, the report says why; 2: it
 * could not be looked at.
 */
public final class AdoptMain {
  private static final int POSSIBLE = 0;
  private static final int REFUSED = 1;
  private static final int NOT_LOOKED_AT = 2;

  private static final String USAGE =
      """
      usage: AdoptMain <connection string with database> <collection>
        for example: AdoptMain "mongodb://localhost:27017/shop?replicaSet=rs0" outbox
      """;

  private AdoptMain() {}

  public static void main(String[] arguments) {
    System.exit(run(arguments, System.out, System.err));
  }

  static int run(String[] arguments, PrintStream out, PrintStream err) {
    if (arguments.length != 2 || !arguments[0].startsWith("mongodb")) {
      err.print(USAGE);
      return NOT_LOOKED_AT;
    }
    try {
      ConnectionString address = new ConnectionString(arguments[0]);
      String database = address.getDatabase();
      if (database == null) {
        err.print("the connection string names no database\n" + USAGE);
        return NOT_LOOKED_AT;
      }
      try (MongoClient client = MongoClients.create(address)) {
        Adoption adoption = MongoAdoption.look(client, database, arguments[1]);
        out.print(adoption.report());
        return adoption.isPossible() ? POSSIBLE : REFUSED;
      }
    } catch (IllegalArgumentException | MongoException | PostroadException failed) {
      err.println(
          "could not look at collection %s: %s".formatted(arguments[1], failed.getMessage()));
      return NOT_LOOKED_AT;
    }
  }
}
