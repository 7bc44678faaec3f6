package io.postroad.postgres;

import io.postroad.layout.Adoption;
import io.postroad.layout.Recogniser;
import io.postroad.message.PostroadException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * Prints how Postroad would run on a table: {@code AdoptMain <JDBC URL> <schema.table>}. Changes
 * nothing. Exit code 0: it can; 1: it cannot, the report says why; 2: it could not be looked at.
 */
public final class AdoptMain {
  private static final int POSSIBLE = 0;
  private static final int REFUSED = 1;
  private static final int NOT_LOOKED_AT = 2;

  private static final String USAGE =
      """
      usage: AdoptMain <JDBC URL> <table>
        for example: AdoptMain "jdbc:postgresql://localhost:5432/shop?user=me" public.outbox
      """;

  private AdoptMain() {}

  public static void main(String[] arguments) {
    System.exit(run(arguments, System.out, System.err));
  }

  static int run(String[] arguments, PrintStream out, PrintStream err) {
    if (arguments.length != 2 || !arguments[0].startsWith("jdbc:postgresql:")) {
      err.print(USAGE);
      return NOT_LOOKED_AT;
    }
    try (Connection connection = DriverManager.getConnection(arguments[0])) {
      Adoption adoption =
          PostgresAdoption.look(connection, arguments[1], Recogniser.ofTables()::recognise);
      out.print(adoption.report());
      return adoption.isPossible() ? POSSIBLE : REFUSED;
    } catch (SQLException | PostroadException failed) {
      err.println("could not look at table %s: %s".formatted(arguments[1], failed.getMessage()));
      return NOT_LOOKED_AT;
    }
  }
}
