package io.postroad.adopt;

import io.postroad.message.PostroadException;
import java.io.PrintStream;

/**
 * Prints how Postroad would run on a table or collection: {@code AdoptMain <address> <name>}.
 * Changes nothing.
 *
 * <p>Exit code 0: the table can be used. 1: it cannot, and the report says why. 2: the arguments
 * are wrong, or the database could not be read.
 */
public final class AdoptMain {
  private static final int POSSIBLE = 0;
  private static final int REFUSED = 1;
  private static final int NOT_READ = 2;

  private static final String USAGE =
      """
      usage: AdoptMain <JDBC URL> <table>
             AdoptMain <MongoDB connection string with database> <collection>
        for example: AdoptMain "jdbc:postgresql://localhost:5432/shop?user=me" public.outbox
                     AdoptMain "mongodb://localhost:27017/shop?replicaSet=rs0" outbox
      """;

  private AdoptMain() {}

  public static void main(String[] arguments) {
    System.exit(run(arguments, System.out, System.err));
  }

  static int run(String[] arguments, PrintStream out, PrintStream err) {
    if (arguments.length != 2) {
      err.print(USAGE);
      return NOT_READ;
    }
    String address = arguments[0];
    boolean isTable = address.startsWith("jdbc:postgresql:");
    if (!isTable && !address.startsWith("mongodb")) {
      err.print(USAGE);
      return NOT_READ;
    }
    try {
      // Each class needs the driver of its database only.
      Adoption adoption =
          isTable
              ? PostgresAdoption.at(address, arguments[1])
              : MongoAdoption.at(address, arguments[1]);
      out.print(adoption.report());
      return adoption.isPossible() ? POSSIBLE : REFUSED;
    } catch (PostroadException | IllegalArgumentException failed) {
      err.println(failed.getMessage());
      return NOT_READ;
    }
  }
}
